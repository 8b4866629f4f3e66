//! Compares the search with brute force, and checks its results for large tasks.

use std::collections::BTreeMap;

use super::*;

/// Scenes with their clips given by file, all of them as long as the scene.
fn scenes(lists: &[(u64, Vec<u32>)]) -> Scenes {
    clips(lists, |_| u64::MAX)
}

/// The same, with a length for each file.
fn clips(lists: &[(u64, Vec<u32>)], length: impl Fn(u32) -> u64) -> Scenes {
    let clips = |(frames, files): &(u64, Vec<u32>)| {
        files.iter().map(|&file| ShownClip { file, frames: length(file).min(*frames) }).collect()
    };
    let usable = lists.iter().map(|(_, files)| (0..files.len() as u32).collect()).collect();
    Scenes { shown: lists.iter().map(clips).collect(), usable, shortest: false }
}

/// Scenes of equal length, none of which shares a clip with another.
fn apart(sizes: &[u32]) -> Scenes {
    let mut next = 0;
    let mut lists = Vec::new();
    for &size in sizes {
        lists.push((1, (next..next + size).collect()));
        next += size;
    }
    scenes(&lists)
}

/// `count` scenes with the lengths in `frames` in turn, all with the same clips.
fn common(count: usize, frames: &[u64], files: u32) -> Scenes {
    let lists: Vec<_> =
        (0..count).map(|scene| (frames[scene % frames.len()], (0..files).collect())).collect();
    scenes(&lists)
}

/// The score computed from its definition, with none of the search's own code.
fn judged(scenes: &Scenes, fixed: &[Row], drawn: &[Row]) -> Score {
    let files = |row: &Row| -> Vec<u32> {
        row.iter().enumerate().map(|(scene, &r)| scenes.shown[scene][r as usize].file).collect()
    };
    let seen = |row: &Row| -> BTreeMap<u32, u64> {
        let frames: Vec<u64> =
            row.iter().enumerate().map(|(scene, &r)| scenes.shown[scene][r as usize].frames).collect();
        let cut = frames.iter().copied().min().unwrap();
        let mut seen = BTreeMap::new();
        for (file, frames) in files(row).into_iter().zip(frames) {
            let most: &mut u64 = seen.entry(file).or_default();
            *most = (*most).max(if scenes.shortest { cut } else { frames });
        }
        seen
    };
    let all: Vec<&Row> = fixed.iter().chain(drawn).collect();
    let mut score = Score::default();
    for (index, row) in all.iter().enumerate().skip(fixed.len()) {
        let shown = files(row);
        score.neighbours += shown.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        score.repeats += (shown.len() - seen(row).len()) as u64;
        for other in &all[..index] {
            let others = seen(other);
            let both = seen(row)
                .into_iter()
                .map(|(file, frames)| frames.min(others.get(&file).copied().unwrap_or(0)));
            let shared: u64 = both.sum();
            score.same_rows += u64::from(row == other);
            score.same_footage += u64::from(files(row) == files(other));
            score.sum += shared;
            score.pairs = match shared.cmp(&score.greatest) {
                std::cmp::Ordering::Less => score.pairs,
                std::cmp::Ordering::Equal => score.pairs + u64::from(shared > 0),
                std::cmp::Ordering::Greater => 1,
            };
            score.greatest = score.greatest.max(shared);
        }
    }
    score
}

/// The best score of all sets of rows.
fn best(scenes: &Scenes, fixed: &[Row], wanted: usize) -> Score {
    let all = exact::all_rows(scenes, fixed);
    // The score of each row beside the fixed ones, and of each pair beyond that.
    let alone: Vec<Score> = all.iter().map(|row| judged(scenes, fixed, std::slice::from_ref(row))).collect();
    let pair = |a: usize, b: usize| match a == b {
        true => alone[a],
        false => Score { neighbours: 0, repeats: 0, ..judged(scenes, &all[a..=a], &all[b..=b]) },
    };
    let costs: Vec<Vec<Score>> = (0..all.len()).map(|a| (0..=a).map(|b| pair(a, b)).collect()).collect();
    let mut best = Score::WORST;
    try_all(&costs, &mut Vec::new(), wanted, Score::BEST, &mut best);
    best
}

fn try_all(costs: &[Vec<Score>], chosen: &mut Vec<usize>, missing: usize, score: Score, best: &mut Score) {
    if missing == 0 {
        *best = score.min(*best);
        return;
    }
    for index in chosen.last().map_or(0, |last| last + 1)..costs.len() {
        let alone = score.with(costs[index][index]);
        let score = chosen.iter().fold(alone, |score, &other| score.with(costs[index][other]));
        if score < *best {
            chosen.push(index);
            try_all(costs, chosen, missing - 1, score, best);
            chosen.pop();
        }
    }
}

fn check_best(scenes: &Scenes, fixed: &[Row], wanted: usize, seed: u64) {
    let rows = draw(scenes, fixed, wanted, seed, &[]);
    let possible = exact::all_rows(scenes, fixed).len();
    assert_eq!(rows.len(), wanted.min(possible), "{scenes:?}");
    if possible > wanted {
        let actual = judged(scenes, fixed, &rows);
        let best = best(scenes, fixed, wanted);
        assert_eq!(actual, best, "{wanted} of {scenes:?} beside {fixed:?}: {rows:?}");
    }
}

/// A random small case: clips that occur in several scenes or twice in one, with different lengths.
fn small_shape(rng: &mut RandomStream) -> Scenes {
    loop {
        let files = 1 + rng.below(6);
        let lengths: Vec<u64> = (0..files).map(|_| [1, 2, 3, 5, 9][rng.below(5)]).collect();
        let list = |rng: &mut RandomStream| {
            let clips = 1 + rng.below(4);
            (1 + rng.below(5) as u64, (0..clips).map(|_| rng.below(files) as u32).collect())
        };
        let lists: Vec<_> = (0..1 + rng.below(5)).map(|_| list(rng)).collect();
        let rows: usize = lists.iter().map(|(_, clips): &(u64, Vec<u32>)| clips.len()).product();
        if (2..=27).contains(&rows) {
            return Scenes { shortest: rng.below(5) == 0, ..clips(&lists, |file| lengths[file as usize]) };
        }
    }
}

#[test]
fn the_search_finds_the_optimum() {
    let mut rng = RandomStream::stream(4, "shapes");
    for case in 0..200 {
        let scenes = small_shape(&mut rng);
        let mut rows = exact::all_rows(&scenes, &[]);
        rng.shuffle(&mut rows);
        rows.truncate(rng.below(3));
        for wanted in 1..=4 {
            check_best(&scenes, &rows, wanted, case);
        }
    }
}

#[test]
fn the_search_finds_the_optimum_if_scenes_share_all_clips() {
    for count in 1..=3 {
        for files in 1..=4 {
            for frames in [&[1][..], &[2, 1], &[3, 1, 2]] {
                for wanted in 1..=if files == 4 && count == 3 { 3 } else { 5 } {
                    check_best(&common(count, frames, files), &[], wanted, 7);
                }
            }
        }
    }
}

/// Lists without a common clip, of up to 4 scenes with up to 4 clips; the order of scenes makes no difference.
fn shapes() -> Vec<Vec<u32>> {
    let mut shapes = vec![vec![]];
    let mut all = Vec::new();
    for _ in 0..4 {
        let longer = |shape: &Vec<u32>| {
            let shape = shape.clone();
            (shape.last().copied().unwrap_or(1)..=4).map(move |n| [shape.clone(), vec![n]].concat())
        };
        shapes = shapes.iter().flat_map(longer).collect();
        all.extend(shapes.iter().cloned());
    }
    all
}

/// Whether there is a set of rows of which no two share more than `most`, by trying every set.
fn exists(all: &[Row], from: usize, chosen: &mut Vec<Row>, wanted: usize, most: usize) -> bool {
    if wanted == 0 {
        return true;
    }
    for i in from..all.len() {
        if chosen.iter().all(|row| alike(row, &all[i]) <= most) {
            chosen.push(all[i].clone());
            let is_possible = exists(all, i + 1, chosen, wanted - 1, most);
            chosen.pop();
            if is_possible {
                return true;
            }
        }
    }
    false
}

fn alike(a: &Row, b: &Row) -> usize {
    a.iter().zip(b).filter(|(a, b)| a == b).count()
}

/// Checks that rows of scenes without a common clip share the minimum.
fn check_greatest(sizes: &[u32], fixed: &[Row], wanted: usize) {
    let scenes = apart(sizes);
    let all = exact::all_rows(&scenes, fixed);
    if all.len() < wanted || fixed.len() + wanted < 2 {
        return;
    }
    let rows = draw(&scenes, fixed, wanted, 11, &[]);
    let actual = judged(&scenes, fixed, &rows);
    assert_eq!((rows.len(), actual.same_rows), (wanted, 0), "{sizes:?}: {rows:?} beside {fixed:?}");
    if actual.greatest == 0 {
        return;
    }
    let most = actual.greatest as usize - 1;
    let mut open: Vec<Row> = all;
    open.retain(|row| fixed.iter().all(|other| alike(row, other) <= most));
    // Without manual rows the first row can be any: the clips of a scene can be renumbered.
    let (mut chosen, left) = match fixed {
        [] => (vec![open.remove(0)], wanted - 1),
        _ => (vec![], wanted),
    };
    let better = exists(&open, 0, &mut chosen, left, most);
    assert!(!better, "{sizes:?} × {wanted} beside {fixed:?}: {rows:?} is not the best");
}

#[test]
fn the_maximum_that_two_share_is_minimal() {
    for sizes in shapes() {
        (2..=5).for_each(|wanted| check_greatest(&sizes, &[], wanted));
    }
}

#[test]
fn the_shared_maximum_is_minimal_beside_manual_rows() {
    for sizes in shapes() {
        // Up to renumbering, a second manual row differs from the first in a set of scenes.
        let first = vec![0; sizes.len()];
        for set in 0..1u32 << sizes.len() {
            let second: Row = (0..sizes.len()).map(|scene| set >> scene & 1).collect();
            if second.iter().zip(&sizes).any(|(clip, clips)| clip >= clips) {
                continue;
            }
            let fixed = if set == 0 { vec![first.clone()] } else { vec![first.clone(), second] };
            for wanted in 1..=5 - fixed.len() {
                check_greatest(&sizes, &fixed, wanted);
            }
        }
    }
}

#[test]
fn the_shared_maximum_is_minimal_beside_three_or_four_manual_rows() {
    let mut rng = RandomStream::stream(3, "test");
    for sizes in shapes() {
        let mut all = exact::all_rows(&apart(&sizes), &[]);
        rng.shuffle(&mut all);
        for count in [3, 4] {
            if all.len() > count {
                (1..=5 - count).for_each(|wanted| check_greatest(&sizes, &all[..count], wanted));
            }
        }
    }
}

/// Scenes that hide `hidden` rows which share nothing with each other among other clips.
fn with_hidden_rows(hidden: usize, rng: &mut RandomStream) -> Scenes {
    let count = 1 + rng.below(30);
    let mut files: Vec<u32> = (0..(count * hidden) as u32).collect();
    rng.shuffle(&mut files);
    let list = |own: &[u32]| {
        let mut list = own.to_vec();
        list.extend((0..rng.below(6)).map(|_| files[rng.below(files.len())]));
        rng.shuffle(&mut list);
        (1 + rng.below(90) as u64, list)
    };
    let lists: Vec<_> = files.chunks(hidden).map(list).collect();
    scenes(&lists)
}

#[test]
fn no_file_is_shown_twice_if_avoidable() {
    let mut rng = RandomStream::stream(5, "shapes");
    let mut outputs = 0;
    for seed in 0..250 {
        let hidden = 1 + rng.below(5);
        let scenes = with_hidden_rows(hidden, &mut rng);
        let rows = draw(&scenes, &[], hidden, seed, &[]);
        assert_eq!(judged(&scenes, &[], &rows), Score::BEST, "{scenes:?}: {rows:?}");
        outputs += rows.len();
    }
    assert!(outputs >= 500, "{outputs}");
}

#[test]
fn no_clip_repeats_in_an_output_if_outputs_must_share() {
    let mut rng = RandomStream::stream(6, "shapes");
    for seed in 0..100 {
        // Each scene has 5 to 9 of 9 clips: at least as many as there are scenes, so that there is always another.
        let list = |rng: &mut RandomStream| {
            let mut files: Vec<u32> = (0..9).collect();
            rng.shuffle(&mut files);
            files.truncate(5 + rng.below(5));
            (1 + rng.below(9) as u64, files)
        };
        let lists: Vec<_> = (0..2 + rng.below(4)).map(|_| list(&mut rng)).collect();
        let scenes = scenes(&lists);
        let score = judged(&scenes, &[], &draw(&scenes, &[], 5, seed, &[]));
        assert_eq!((score.same_rows, score.neighbours, score.repeats), (0, 0, 0), "{scenes:?}");
    }
}

#[test]
fn three_scenes_that_share_five_clips_repeat_nothing() {
    for seed in 0..50 {
        let scenes = common(3, &[90], 5);
        let score = judged(&scenes, &[], &draw(&scenes, &[], 3, seed, &[]));
        // Each row has three of five clips: any two outputs have exactly one in common.
        let expected = Score { greatest: 180, pairs: 1, sum: 360, ..Score::BEST };
        assert_eq!(score, expected);
    }
}

#[test]
fn manual_rows_are_not_drawn_again_and_all_rows_can_be_used() {
    let fixed = vec![vec![0, 0], vec![1, 1]];
    let mut rows = draw(&apart(&[2, 2]), &fixed, 5, 3, &[]);
    rows.sort();
    assert_eq!(rows, [[0, 1], [1, 0]]);
}

#[test]
fn two_resources_of_one_file_count_as_one_while_there_are_others() {
    let scenes = scenes(&[(1, vec![0, 0, 1]), (1, vec![2, 3])]);
    let files = |rows: Vec<Row>| -> Vec<Vec<u32>> {
        let row = |row: &Row| row.iter().enumerate().map(|(scene, &r)| scenes.at(scene, r).file).collect();
        let mut files: Vec<Vec<u32>> = rows.iter().map(row).collect();
        files.sort();
        files
    };
    assert_eq!(files(draw(&scenes, &[], 4, 1, &[])), [[0, 2], [0, 3], [1, 2], [1, 3]]);
    assert_eq!(draw(&scenes, &[], 6, 1, &[]).len(), 6);
}

#[test]
fn known_rows_stay_while_optimal() {
    let scenes = common(5, &[30, 50], 40);
    let rows = draw(&scenes, &[], 5, 1, &[]);
    assert_eq!(draw(&scenes, &[], 5, 1, &rows), rows);
    // When one clip cannot be used, only the scene that showed it changes.
    let mut without = scenes.clone();
    without.usable.iter_mut().for_each(|usable| usable.retain(|resource| *resource != rows[2][3]));
    let again = draw(&without, &[], 5, 1, &rows);
    assert_eq!(judged(&without, &[], &again), Score::BEST);
    let changed: Vec<(usize, usize)> = (0..5)
        .flat_map(|row| (0..5).map(move |scene| (row, scene)))
        .filter(|&(row, scene)| again[row][scene] != rows[row][scene])
        .collect();
    assert_eq!(changed, [(2, 3)]);
}

#[test]
fn a_single_row_can_be_any() {
    for sizes in [&[1][..], &[3], &[2, 3]] {
        let rows = draw(&apart(sizes), &[], 1, 5, &[]);
        assert!(rows.len() == 1 && rows[0].iter().zip(sizes).all(|(clip, clips)| clip < clips), "{rows:?}");
    }
}

/// Tests the complete search alone, without the approximations that run before it.
#[test]
fn the_complete_search_finds_the_best() {
    let mut rng = RandomStream::stream(3, "everything");
    for _ in 0..60 {
        let scenes = small_shape(&mut rng);
        let wanted = 1 + rng.below(3);
        let rows = exact::search(&scenes, &[], wanted, Score::WORST, &mut rng);
        if exact::all_rows(&scenes, &[]).len() > wanted {
            let rows = rows.unwrap();
            assert_eq!(judged(&scenes, &[], &rows), best(&scenes, &[], wanted), "{wanted} of {scenes:?}");
        }
    }
}

#[test]
fn seeds_matter() {
    for scenes in [apart(&[100; 100]), common(3, &[1], 5), common(100, &[1], 3)] {
        let rows = draw(&scenes, &[], 4, 1, &[]);
        assert_eq!(rows, draw(&scenes, &[], 4, 1, &[]));
        assert_ne!(rows, draw(&scenes, &[], 4, 2, &[]));
    }
}

#[test]
fn large_tasks_reach_the_lower_bounds() {
    let check = |scenes: Scenes, expected: Score| {
        let rows = draw(&scenes, &[], 5, 1, &[]);
        assert_eq!(judged(&scenes, &[], &rows), expected);
    };
    let all = |greatest| Score { greatest, pairs: 10, sum: 10 * greatest, ..Score::BEST };
    check(apart(&[100; 100]), Score::BEST);
    check(common(20, &[1], 100), Score::BEST);
    // Of five rows at least four pairs agree in a scene of two clips, two pairs in one of three, one in one of four.
    check(apart(&[2; 100]), all(40));
    check(apart(&[3; 100]), all(20));
    check(apart(&[4; 100]), all(10));
    // Every output shows all clips.
    check(common(100, &[1], 100), all(100));
    check(common(100, &[1], 3), Score { repeats: 5 * 97, ..all(3) });
    // Two rows alternate from beginning to end; the three others must repeat a neighbour once.
    check(common(100, &[1], 2), Score { neighbours: 3, repeats: 5 * 98, ..all(2) });
    check(
        common(100, &[1], 1),
        Score { same_rows: 0, ..judged(&common(100, &[1], 1), &[], &[vec![0; 100]]) },
    );
}

#[test]
fn counting_is_exact_and_capped() {
    assert_eq!(count_distinct([3, 4, 5]), 60);
    assert_eq!(count_distinct([100; 100]), (1 << 53) - 1);
}

/// Two hundred outputs of ten scenes, all with the same twenty files of twenty stretches each: 2,000 places for 400
/// stretches. Each stretch is shown five times, ten pairs of outputs share it, and at least 4,000 pairs share one.
#[test]
fn hundreds_of_outputs_come_near_the_lower_bounds() {
    const MIN_SUM: u64 = 4_000 * 90;
    for seed in 0..3 {
        let scenes = common(10, &[90], 400);
        let score = judged(&scenes, &[], &draw(&scenes, &[], 200, seed, &[]));
        assert_eq!((score.same_rows, score.same_footage, score.neighbours, score.repeats), (0, 0, 0, 0));
        assert_eq!(score.greatest, 90, "no two outputs share two stretches");
        assert!(score.sum <= MIN_SUM + MIN_SUM / 20, "{score:?}");
    }
}

#[test]
fn many_rows_are_distinct_to_the_last_combination() {
    for (scenes, wanted) in [
        (apart(&[15, 15]), 224),
        (common(4, &[90], 4), 255),
        (common(3, &[30, 60], 6), 200),
        (
            clips(&[(40, vec![0, 0, 1, 2]), (60, vec![0, 3, 3, 4, 5]), (20, vec![6, 7])], |file| {
                u64::from(file + 1) * 9
            }),
            39,
        ),
    ] {
        let rows = draw(&scenes, &[], wanted, 7, &[]);
        assert_eq!(rows.len(), wanted);
        assert_eq!(judged(&scenes, &[], &rows).same_rows, 0, "{wanted} of {scenes:?}");
        assert_eq!(rows, draw(&scenes, &[], wanted, 7, &[]));
        assert_ne!(rows, draw(&scenes, &[], wanted, 8, &[]));
    }
    // The manual rows are not among the drawn rows; the known rows are.
    let scenes = common(6, &[30], 30);
    let fixed: Vec<Row> = (0..5).map(|n| vec![n; 6]).collect();
    let rows = draw(&scenes, &fixed, 40, 1, &[]);
    assert!(rows.iter().all(|row| !fixed.contains(row)));
    assert_eq!(draw(&scenes, &fixed, 40, 1, &rows), rows);
}

/// Scenes that are trimmed to the shortest weigh all files alike.
#[test]
fn many_outputs_trimmed_to_their_shortest_scene() {
    let scenes =
        Scenes { shortest: true, ..clips(&vec![(90, (0..12).collect()); 5], |file| u64::from(file) + 10) };
    let rows = draw(&scenes, &[], 60, 1, &[]);
    let score = judged(&scenes, &[], &rows);
    assert_eq!((score.same_rows, score.neighbours, score.repeats), (0, 0, 0), "{score:?}");
}
