//! Legal ranges: what they print is what they check; and parameters by text.

use embedding::implement::{Bound, Kind, Limits, N_LESS_1, ONE, Parameter, Range, Sizes, Value, ZERO};
use embedding::{Error, MemoryLimit, Neighborhood, Recipe};

const COLUMNS: Bound = Bound::new("D", |s| s.columns.map(|d| d as f64));

/// Range, its text, legal values, illegal values; sizes n = 50, D = 3.
const CASES: [(Range, &str, &[f64], &[f64]); 7] = [
    (Range::from_one_to(N_LESS_1), "1 to n - 1", &[1.0, 7.0, 49.0], &[0.0, 50.0, -1.0]),
    (Range::between(ZERO, ONE), "0 to 1", &[0.0, 0.5, 1.0], &[-1e-300, 1.0 + f64::EPSILON]),
    (Range::at_least(ONE), "at least 1", &[1.0, f64::MAX], &[1.0 - f64::EPSILON, -5.0]),
    (Range::at_least(ZERO), "at least 0", &[0.0, -0.0, 3.0], &[-1e-300]),
    (Range::positive(), "above 0", &[f64::MIN_POSITIVE, 1e300], &[0.0, -0.0, -1.0]),
    (Range::inside(ZERO, ONE), "above 0 and below 1", &[1e-300, 0.5], &[0.0, 1.0, 2.0]),
    (Range::below(ONE, COLUMNS), "at least 1 and below D", &[1.0, 2.9], &[0.9, 3.0]),
];

const SIZES: Sizes = Sizes {
    points: Some(50),
    columns: Some(3),
    neighbors: None,
    landmarks: None,
    basis: None,
    classes: None,
    dim: None,
};

#[test]
fn a_range_checks_what_it_prints() {
    for (range, text, legal, illegal) in CASES {
        assert_eq!(range.to_string(), text);
        for value in legal {
            assert_eq!(range.check("x", *value, &SIZES, value), Ok(()), "{text}: {value}");
        }
        for value in illegal {
            let refused = range.check("x", *value, &SIZES, value);
            assert!(matches!(refused, Err(Error::Parameter { name: "x", .. })), "{text}: {value}");
        }
    }
}

#[test]
fn no_range_contains_what_is_not_finite() {
    for (range, text, ..) in CASES {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(range.check("x", value, &SIZES, &value).is_err(), "{text}: {value}");
        }
    }
}

#[test]
fn limits_are_the_ends_for_these_sizes() {
    let ends = |range: Range, sizes: Sizes| {
        let Limits { low, high, low_open, high_open } = range.at(&sizes);
        (low, high, low_open, high_open)
    };
    assert_eq!(ends(Range::from_one_to(N_LESS_1), SIZES), (Some(1.0), Some(49.0), false, false));
    assert_eq!(ends(Range::from_one_to(N_LESS_1), Sizes::default()), (Some(1.0), None, false, false));
    assert_eq!(ends(Range::positive(), SIZES), (Some(0.0), None, true, false));
    assert_eq!(ends(Range::below(ONE, COLUMNS), SIZES), (Some(1.0), Some(3.0), false, true));
    for (range, text, legal, illegal) in CASES {
        assert!(legal.iter().all(|value| range.at(&SIZES).contain(*value)), "{text}");
        assert!(!illegal.iter().any(|value| range.at(&SIZES).contain(*value)), "{text}");
    }
}

#[test]
fn a_bound_of_unknown_size_is_open() {
    let (dim, unknown) = (Range::from_one_to(N_LESS_1), Sizes::default());
    assert_eq!(dim.check("dim", 1e9, &unknown, &1e9), Ok(()));
    assert!(dim.check("dim", 0.0, &unknown, &0).is_err(), "the other end is known");
}

fn refused(range: Range, value: f64, sizes: Sizes) -> String {
    range.check("dim", value, &sizes, &value).expect_err("refused").to_string()
}

#[test]
fn a_refusal_names_the_range_its_value_here_and_what_came() {
    let dim = Range::from_one_to(N_LESS_1);
    assert_eq!(refused(dim, 60.0, SIZES), "dim must be 1 to n - 1 (here 1 to 49), but is 60");
    assert_eq!(refused(dim, 0.0, Sizes::default()), "dim must be 1 to n - 1, but is 0");
    // Where the formula is the value, it is not said twice.
    assert_eq!(refused(Range::positive(), -1.0, SIZES), "dim must be above 0, but is -1");
    let below = refused(Range::below(ONE, COLUMNS), 3.0, SIZES);
    assert_eq!(below, "dim must be at least 1 and below D (here at least 1 and below 3), but is 3");
}

#[derive(Clone, Debug, PartialEq, Recipe)]
struct Kernel {
    /// Target dimension d. Advice that lists do not show.
    #[param(default = 2, range = "1 to n - 1")]
    dim: usize,
    /// Exponent.
    #[param(default = 0.5, range = "0 to 1")]
    alpha: f64,
    /// Factor.
    #[param(default = 1.0)]
    scale: f64,
    /// Whether it is slow and exact.
    exact: bool,
    /// Width of the kernel.
    #[param(range = Range::positive())]
    width: Option<f64>,
    /// The rule that selects neighbors.
    #[param(flatten)]
    neighborhood: Neighborhood,
}

const KERNEL: Kernel = Kernel {
    dim: 2,
    alpha: 0.5,
    scale: 1.0,
    exact: false,
    width: None,
    neighborhood: Neighborhood::Nearest { k: 10 },
};

#[test]
fn a_recipe_lists_its_parameters_in_the_order_of_its_fields() {
    assert_eq!(Kernel::default(), KERNEL);
    let infos: Vec<_> = Kernel::parameters().iter().map(|p| p.info(&KERNEL, &KERNEL)).collect();
    let texts: Vec<_> = infos.iter().map(|info| (info.name, info.about)).collect();
    assert_eq!(
        texts[..4],
        [
            ("dim", "target dimension d"),
            ("alpha", "exponent"),
            ("scale", "factor"),
            ("exact", "whether it is slow and exact"),
        ]
    );
    assert_eq!(infos[4..].iter().map(|info| info.name).collect::<Vec<_>>(), ["width", "k", "radius"]);
}

fn parameter(name: &str) -> Parameter<Kernel> {
    Kernel::parameters().into_iter().find(|parameter| parameter.name() == name).expect("it is listed")
}

#[test]
fn a_parameter_is_set_from_text_and_shown_as_it_would_be_typed() -> Result<(), Error> {
    let mut recipe = KERNEL;
    for (name, text) in
        [("dim", "3"), ("alpha", "0.25"), ("scale", "-2"), ("exact", "true"), ("width", "1e-9"), ("k", "7")]
    {
        parameter(name).set(&mut recipe, text)?;
        assert_eq!(parameter(name).show(&recipe), text, "{name}");
    }
    let neighborhood = Neighborhood::Nearest { k: 7 };
    let expected = Kernel { dim: 3, alpha: 0.25, scale: -2.0, exact: true, width: Some(1e-9), neighborhood };
    assert_eq!(recipe, expected);
    parameter("width").set(&mut recipe, "auto")?;
    assert_eq!(recipe.width, None);
    // A radius replaces k, and k a radius.
    parameter("radius").set(&mut recipe, "1.5")?;
    assert_eq!(recipe.neighborhood, Neighborhood::Within { radius: 1.5 });
    assert_eq!(
        (parameter("k").show(&recipe), parameter("radius").show(&recipe)),
        ("none".into(), "1.5".into())
    );
    parameter("k").set(&mut recipe, "4")?;
    assert_eq!(parameter("radius").show(&recipe), "none");
    Ok(())
}

#[test]
fn text_of_another_form_and_values_that_are_illegal_for_any_data_are_refused() {
    for (name, text, legal) in [
        ("dim", "two", "a whole number, 1 to n - 1"),
        ("dim", "-1", "a whole number, 1 to n - 1"),
        ("dim", "0", "1 to n - 1"),
        ("alpha", "1.5", "0 to 1"),
        ("alpha", "nan", "a number, 0 to 1"),
        ("scale", "inf", "a finite number"),
        ("exact", "yes", "true or false"),
        ("width", "wide", "auto, or above 0"),
        ("width", "0", "above 0"),
        ("k", "0", "1 to n - 1"),
        ("radius", "-1", "above 0"),
    ] {
        let refused = parameter(name).set(&mut KERNEL.clone(), text).expect_err(text).to_string();
        assert!(refused.starts_with(&format!("{name} must be {legal}")), "{refused}");
    }
    // Only the data can tell.
    assert_eq!(parameter("dim").set(&mut KERNEL.clone(), "1000"), Ok(()));
}

#[test]
fn a_refused_value_changes_nothing() {
    let mut recipe = KERNEL;
    for (name, text) in [("dim", "0"), ("alpha", "1.5"), ("width", "0"), ("k", "0"), ("radius", "-1")] {
        assert!(parameter(name).set(&mut recipe, text).is_err(), "{name}={text}");
        assert_eq!(recipe, KERNEL, "{name}={text}");
    }
}

#[test]
fn a_field_that_text_cannot_set_is_checked_too() {
    let mut recipe = Kernel { dim: 50, scale: f64::NAN, width: Some(f64::INFINITY), ..KERNEL };
    for name in ["dim", "scale", "width"] {
        assert!(parameter(name).check(&recipe, &SIZES).is_err(), "{name}");
    }
    recipe.dim = 49;
    assert_eq!(parameter("dim").check(&recipe, &SIZES), Ok(()));
}

#[test]
fn a_description_has_the_default_and_the_value() {
    let recipe = Kernel { dim: 5, ..KERNEL };
    let dim = parameter("dim").info(&recipe, &KERNEL);
    assert_eq!((dim.name, dim.kind, dim.legal.as_str()), ("dim", Kind::Integer, "1 to n - 1"));
    assert_eq!((dim.default.as_str(), dim.value.as_str()), ("2", "5"));
    let width = parameter("width").info(&recipe, &KERNEL);
    assert_eq!((width.kind, width.words, width.default.as_str()), (Kind::Text, vec!["auto"], "auto"));
}

#[test]
fn memory_limits_are_read_and_shown() {
    for (text, bytes) in [("4GB", 4_000_000_000), ("1500000", 1_500_000), ("unlimited", u64::MAX)] {
        assert_eq!(MemoryLimit::read(text), Some(MemoryLimit::new(bytes)), "{text}");
        assert_eq!(
            MemoryLimit::read(&MemoryLimit::new(bytes).show()),
            Some(MemoryLimit::new(bytes)),
            "{text}"
        );
    }
}

#[test]
fn an_empty_range_says_what_it_needs() {
    const K_LESS_2: Bound = Bound::new("k - 2", |s| s.neighbors.map(|k| k as f64 - 2.0));
    const TRIANGLES: Range = Range::between(
        Bound::new("2", |_| Some(2.0)),
        Bound::new("n - 2", |s| s.points.map(|n| n as f64 - 2.0)),
    );
    let sizes = Sizes { points: Some(2), neighbors: Some(1), ..Sizes::default() };
    assert_eq!(
        refused(Range::from_one_to(K_LESS_2), 2.0, sizes),
        "dim must be 1 to k - 2 (needs at least 3 neighbors, here 1), but is 2"
    );
    assert_eq!(
        refused(TRIANGLES, 1.0, sizes),
        "dim must be 2 to n - 2 (needs at least 4 points, here 2), but is 1"
    );
}
