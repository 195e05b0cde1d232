//! A method is added in a folder of its own: everything else follows from its description.

mod leading_columns;

use embedding::{DynMethod, Error, PointSet};

use leading_columns::LeadingColumns;

#[test]
fn a_method_is_listed_set_fitted_and_saved_by_its_description() -> Result<(), Error> {
    let mut method: Box<dyn DynMethod> = Box::new(LeadingColumns::default());
    let listed: Vec<_> = (method.parameters().into_iter())
        .map(|info| (info.name, info.about, info.legal, info.default))
        .collect();
    let dim = ("dim", "target dimension d", "1 to D".to_owned(), "2".to_owned());
    let stretch = ("stretch", "factor of the columns, s", "above 0".to_owned(), "1".to_owned());
    assert_eq!(listed, [dim, stretch]);

    method.set_dyn("stretch", "0.5")?;
    let refused = method.set_dyn("stretch", "0").expect_err("0 is not above 0").to_string();
    assert!(refused.starts_with("stretch must be above 0"), "{refused}");

    let points = PointSet::from_rows(&[[2.0, 4.0, 9.0], [6.0, 8.0, 9.0]])?;
    let fitted = method.fit_dyn(&(&points).into())?;
    assert_eq!(fitted.embedding().values(), [1.0, 2.0, 3.0, 4.0]);
    let loaded = method.load(&fitted.save()?)?;
    assert_eq!(loaded.transform(points.view())?.values(), fitted.embedding().values());

    method.set_dyn("dim", "4")?;
    let refused = method.fit_dyn(&(&points).into()).err().expect("there are 3 columns").to_string();
    assert!(refused.starts_with("dim must be 1 to D (here 1 to 3), but is 4"), "{refused}");
    Ok(())
}
