use crate::attempt::succeed;
use crate::cases::{Case, cloud, copied, sheet};
use crate::contract::{Contract, Seeds, Setup};
use crate::structure::bits;
use crate::threads::on_threads;

impl Contract {
    /// 1, 2 and 4 threads give the same bytes, and so does a second run.
    pub fn gives_the_same_bytes_on_any_number_of_threads(&self) {
        for (what, case) in
            [("a sheet", sheet(200, 1)), ("a cloud", cloud(150, 12, 2)), ("pairs", copied(80, 2, 3))]
        {
            self.same_on_threads(what, &case);
        }
    }

    fn same_on_threads(&self, what: &str, case: &Case) {
        // Duplicates may disconnect a graph; then the errors must agree.
        let run = || crate::attempt::attempt(self, what, case, self.setup()).map(|e| bits(&e));
        let reference = on_threads(1, run);
        for threads in [1, 2, 4] {
            let got = on_threads(threads, run);
            assert!(got == reference, "{}: {what}: {threads} threads give other bytes than one", self.name);
        }
    }

    /// A seed is irrelevant, or it matters and the same one gives the same bytes.
    pub fn treats_seeds_as_promised(&self) {
        let case = sheet(120, 1);
        let run = |seed| bits(&succeed(self, "a seed", &case, Setup { seed, ..self.setup() }));
        let (one, again, other) = (run(1), run(1), run(0xDEAD_BEEF));
        assert!(one == again, "{}: the same seed gives the same bytes", self.name);
        match self.seeds {
            Seeds::Irrelevant => assert!(one == other, "{}: a seed changed the result", self.name),
            Seeds::Matter => assert!(one != other, "{}: the seed changes nothing", self.name),
        }
    }
}
