//! Duration of planning, measured by criterion: `cargo bench --bench time`.

use std::hint::black_box;

use clipmill_bench_planning::{CASES, Largest, draws, many};
use clipmill_core::combination::draw;
use criterion::{Criterion, criterion_group, criterion_main};

fn planning(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("planning 100 groups × 100 clips");
    group.sample_size(30);
    for (distinct, name) in CASES {
        let largest = Largest::new(distinct).expect("the largest request is valid");
        // Plans are dropped outside of the measured time, because the service keeps and stores them.
        group.bench_function(name, |bencher| bencher.iter_with_large_drop(|| black_box(largest.plan())));
    }
}

fn drawing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("drawing 5 outputs");
    group.sample_size(20);
    for (name, scenes) in draws() {
        group.bench_function(name, |bencher| bencher.iter(|| black_box(draw(&scenes, &[], 5, 1, &[]))));
    }
}

fn drawing_many(criterion: &mut Criterion) {
    let (name, scenes, wanted) = many();
    criterion.bench_function(name, |bencher| bencher.iter(|| black_box(draw(&scenes, &[], wanted, 1, &[]))));
}

criterion_group!(benches, planning, drawing, drawing_many);
criterion_main!(benches);
