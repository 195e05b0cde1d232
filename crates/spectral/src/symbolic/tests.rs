use super::{PANEL, Plan, TOGETHER};
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
    let plan = Plan::new(&grid(60, 50)).expect("a plan").expect("a small factor");
    let level = |group| plan.levels.iter().position(|l| l.contains(&group)).expect("every group has a level");
    assert!(plan.levels.len() > 2, "the test needs several levels");
    let mut seen = vec![false; plan.nodes()];
    for (g, group) in plan.groups.iter().enumerate() {
        for (slot, &s) in group.nodes.iter().enumerate() {
            let s = s as usize;
            assert!(!std::mem::replace(&mut seen[s], true));
            assert_eq!((plan.group_of(s), plan.slot(s)), (g, slot));
            for &c in plan.children(s) {
                let c = c as usize;
                assert_eq!(plan.parent(c), Some(s));
                if plan.group_of(c) == g {
                    assert!(plan.slot(c) < slot);
                } else {
                    assert!(level(plan.group_of(c)) < level(g));
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
    let plan = Plan::new(&grid(30, 20)).expect("a plan").expect("a small factor");
    for s in 0..plan.nodes() {
        let Some(parent) = plan.parent(s) else {
            assert!(plan.below(s).is_empty());
            continue;
        };
        let front: Vec<u32> =
            plan.columns(parent).map(|c| c as u32).chain(plan.below(parent).iter().copied()).collect();
        let named: Vec<u32> = plan.places(s).iter().map(|&place| front[place as usize]).collect();
        assert_eq!(named, plan.below(s));
    }
}

/// A column of a diagonal has one entry; those of a dense factor have 1, 2, …, n.
#[test]
fn operations_are_the_squares_of_the_entries_of_columns() {
    let of = |matrix: &Sparse| Plan::new(matrix).expect("a plan").expect("a small factor");
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
    let plan = Plan::new(&grid(60, 50)).expect("a plan").expect("a small factor");
    let mut longest = 0;
    for (g, group) in plan.groups.iter().enumerate() {
        let (mut waiting, mut stack, mut peak) = (Vec::new(), 0, 0);
        for &s in &group.nodes {
            let s = s as usize;
            let held = |waiting: &[usize]| waiting.iter().map(|&c| plan.update(c)).sum::<usize>();
            let before = held(&waiting);
            waiting.retain(|&c| !(plan.parent(c) == Some(s) && plan.group_of(c) == g));
            waiting.push(s);
            let after = held(&waiting);
            stack = stack.max(after);
            peak = peak.max(before.max(after) + plan.update(s) + plan.below(s).len() * PANEL);
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
    let plan = Plan::new(&grid(60, 50)).expect("a plan").expect("a small factor");
    let (mut stored, mut waiting, mut most) = (0, Vec::new(), 0);
    for level in &plan.levels {
        for groups in plan.groups[level.clone()].chunks(TOGETHER) {
            stored += groups.iter().map(|g| g.values[g.nodes.len()]).sum::<usize>();
            let inside: usize = groups.iter().map(|g| g.peak_entries).sum();
            let outside: usize = waiting.iter().map(|&root| plan.update(root)).sum();
            most = most.max(stored + outside + inside);
            for group in groups {
                let root = group.nodes[group.nodes.len() - 1] as usize;
                waiting.retain(|&c| plan.parent(c) != Some(root));
                waiting.push(root);
            }
        }
    }
    assert_eq!(plan.entries(), most);
    assert_eq!((plan.bytes::<f64>(), plan.bytes::<f32>()), (8 * most as u64, 4 * most as u64));
}
