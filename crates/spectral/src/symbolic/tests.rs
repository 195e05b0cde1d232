use super::{PANEL, Symbolic, TOGETHER};
use crate::Sparse;

/// Returns the Laplacian of a grid, with two additional isolated nodes.
fn grid(rows: u32, columns: u32) -> Sparse {
    let at = |i, j| i * columns + j;
    let mut edges = Vec::new();
    for i in 0..rows {
        for j in 0..columns {
            edges.extend((i > 0).then(|| vec![(at(i - 1, j), -1.0), (at(i, j), 1.0)]));
            edges.extend((j > 0).then(|| vec![(at(i, j - 1), -1.0), (at(i, j), 1.0)]));
        }
    }
    Sparse::from_rows((rows * columns + 2) as usize, edges).expect("nodes are below the last").gram()
}

#[test]
fn every_node_is_in_one_group_and_groups_depend_on_lower_levels() {
    let symbolic = Symbolic::new(&grid(60, 50)).expect("a symbolic").expect("a small factor");
    let level =
        |group| symbolic.levels.iter().position(|l| l.contains(&group)).expect("every group has a level");
    assert!(symbolic.levels.len() > 2, "the test needs several levels");
    let mut seen = vec![false; symbolic.nodes()];
    for (g, group) in symbolic.groups.iter().enumerate() {
        for (slot, &s) in group.nodes.iter().enumerate() {
            let s = s as usize;
            assert!(!std::mem::replace(&mut seen[s], true));
            assert_eq!((symbolic.group_of(s), symbolic.slot(s)), (g, slot));
            for &c in symbolic.children(s) {
                let c = c as usize;
                assert_eq!(symbolic.parent(c), Some(s));
                if symbolic.group_of(c) == g {
                    assert!(symbolic.slot(c) < slot);
                } else {
                    assert!(level(symbolic.group_of(c)) < level(g));
                    assert_eq!(group.nodes.len(), 1);
                }
            }
        }
    }
    assert!(seen.iter().all(|&s| s));
}

/// The positions of a child's rows in the parent's front refer to the same rows.
#[test]
fn places_refer_to_the_same_rows() {
    let symbolic = Symbolic::new(&grid(30, 20)).expect("a symbolic").expect("a small factor");
    for s in 0..symbolic.nodes() {
        let Some(parent) = symbolic.parent(s) else {
            assert!(symbolic.below(s).is_empty());
            continue;
        };
        let front: Vec<u32> = symbolic
            .columns(parent)
            .map(|c| c as u32)
            .chain(symbolic.below(parent).iter().copied())
            .collect();
        let named: Vec<u32> = symbolic.places(s).iter().map(|&place| front[place as usize]).collect();
        assert_eq!(named, symbolic.below(s));
    }
}

/// A column of a diagonal has one entry; the columns of a dense factor have 1, 2, …, n.
#[test]
fn operations_are_the_squares_of_the_entries_of_columns() {
    let of = |matrix: &Sparse| Symbolic::new(matrix).expect("a symbolic").expect("a small factor");
    let diagonal = Sparse::from_rows(300, (0..300).map(|i| vec![(i, 1.0)]).collect()).expect("a diagonal");
    assert_eq!((of(&diagonal).operations(), of(&diagonal).entries()), (300.0, 300));
    let full = vec![(0..40).map(|j| (j, 1.0)).collect(); 40];
    let full = of(&Sparse::from_rows(40, full).expect("a square"));
    assert_eq!(full.operations(), (1..=40).map(|k| f64::from(k * k)).sum::<f64>());
    assert_eq!(full.entries(), 40 * 40);
}

/// What a group holds, node by node: updates that wait for their parent, the one being computed,
/// and a panel of it.
#[test]
fn a_group_holds_the_updates_that_wait_and_the_one_being_computed() {
    let symbolic = Symbolic::new(&grid(60, 50)).expect("a symbolic").expect("a small factor");
    let mut longest = 0;
    for (g, group) in symbolic.groups.iter().enumerate() {
        let (mut waiting, mut stack, mut peak) = (Vec::new(), 0, 0);
        for &s in &group.nodes {
            let s = s as usize;
            let held = |waiting: &[usize]| waiting.iter().map(|&c| symbolic.update(c)).sum::<usize>();
            let before = held(&waiting);
            waiting.retain(|&c| !(symbolic.parent(c) == Some(s) && symbolic.group_of(c) == g));
            waiting.push(s);
            let after = held(&waiting);
            stack = stack.max(after);
            peak = peak.max(before.max(after) + symbolic.update(s) + symbolic.below(s).len() * PANEL);
            longest = longest.max(waiting.len());
        }
        assert_eq!((group.stack_capacity, group.peak_entries), (stack, peak), "group {g}");
    }
    assert!(longest > 2, "the test needs updates that wait");
}

/// The factor so far, the updates of roots whose parent is to come, and what the groups in progress
/// hold.
#[test]
fn the_estimate_is_the_most_that_is_held_at_any_time() {
    let symbolic = Symbolic::new(&grid(60, 50)).expect("a symbolic").expect("a small factor");
    let (mut stored, mut waiting, mut most) = (0, Vec::new(), 0);
    for level in &symbolic.levels {
        for groups in symbolic.groups[level.clone()].chunks(TOGETHER) {
            stored += groups.iter().map(|g| g.values[g.nodes.len()]).sum::<usize>();
            let inside: usize = groups.iter().map(|g| g.peak_entries).sum();
            let outside: usize = waiting.iter().map(|&root| symbolic.update(root)).sum();
            most = most.max(stored + outside + inside);
            for group in groups {
                let root = group.nodes[group.nodes.len() - 1] as usize;
                waiting.retain(|&c| symbolic.parent(c) != Some(root));
                waiting.push(root);
            }
        }
    }
    assert_eq!(symbolic.entries(), most);
    assert_eq!((symbolic.bytes::<f64>(), symbolic.bytes::<f32>()), (8 * most as u64, 4 * most as u64));
}
