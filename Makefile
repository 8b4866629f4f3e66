# clipmill: common tasks. `make demo` and `make test` install missing dependencies (scripts/install-deps.sh).
CARGO ?= cargo
DATA ?= data
TARGET ?= $(or $(CARGO_TARGET_DIR),target)

.PHONY: demo test test-all test-fast test-speech test-distros footage generate chaos siege sim soak serve check deny fuzz fmt bench bench-width bench-encoder bench-planning clients console console-test deps dist packages previews

# Built only for the embedded default, in half the time of `make serve`.
demo: deps
	@$(CARGO) build --profile demo --locked --quiet --no-default-features -p clipmill --bin clipmill --example demo
	@$(TARGET)/demo/examples/demo $(TARGET)/demo/clipmill

test:
	@scripts/test.sh

# Everything that CI runs, and the parts that it omits: rustdoc's lints, all cases of tests that otherwise try some of a
# long table, all files of `make footage`, all media tests with every Debian's ffmpeg, all pages of an unchanged console,
# packages, and the benchmarks' own tests. Hours.
test-all: export CLIPMILL_ALL_CASES = 1
test-all: export FULL = 1
test-all:
	@$(MAKE) --no-print-directory check test
	$(CARGO) test --locked --quiet --manifest-path bench/Cargo.toml --target-dir $(TARGET)
	@$(MAKE) --no-print-directory footage test-distros clients console-test packages chaos
	@for database in sqlite postgres; do $(MAKE) --no-print-directory siege DATABASE=$$database || exit 1; done

# The sample requests, doctor, and the media and sandbox tests with the ffmpeg of Debian 12, 13 and testing, each in a cached
# root file system. SUITES="trixie" runs one of them, FULL=1 all media tests.
test-distros: deps
	@scripts/build-program.sh
	@scripts/distros.sh test $(SUITES)

# Small files of many kinds, rendered and compared with the output of plain ffmpeg; `make test` does a tenth of them.
# CASES="mkv*;*cover art*" selects some by name, KEEP=folder keeps the files that differ.
footage: deps
	@CLIPMILL_FOOTAGE=1 $(if $(CASES),CLIPMILL_FOOTAGE_CASES="$(CASES)") $(if $(KEEP),CLIPMILL_FOOTAGE_KEEP="$(abspath $(KEEP))") \
	  $(CARGO) test --locked -p clipmill --test footage -- --nocapture

# Quick tests for changes: no ffmpeg, PostgreSQL or bucket, about a minute once built. Unit tests that need ffmpeg are
# excluded by name.
test-fast:
	@$(CARGO) test --workspace --locked --quiet --lib --bins --test plan --test tables --test fuzz --test sqlite \
	  --test documents --test architecture -- --skip ingest::probe::tests --skip ffmpeg::loading::tests \
	  --skip ffmpeg::toolchain::tests::the_installed --skip ffmpeg::process::tests::progress_of_a_real_run

# Regenerates everything checked in that is made from the code: documents, clients, the console, the lock files beside
# it. Not the images of effects and looks: `make previews`.
generate:
	UPDATE_DOCS=1 $(CARGO) test --quiet -p clipmill-server --test documents
	@scripts/generate-clients.sh
	@scripts/build-console.sh
	@for lock in fuzz bench; do (cd $$lock && $(CARGO) metadata --quiet --format-version 1 >/dev/null) || exit 1; done
	$(CARGO) fmt --all

# Captions of what is spoken by Whisper base, with its word error rate; downloads 150 MB of weights once.
test-speech: deps
	@scripts/test-speech.sh

# The whole table of faults on real processes, a private PostgreSQL and a private bucket; at most a quarter of an hour.
# SEED=n repeats the choices of a run, ROWS="a,b" runs the rows whose faults contain these words.
chaos:
	@scripts/install-deps.sh test
	@scripts/install-s3-server.sh
	@CLIPMILL_CHAOS=long $(if $(SEED),CLIPMILL_CHAOS_SEED="$(SEED)") $(if $(ROWS),CLIPMILL_CHAOS_ROWS="$(ROWS)") \
	  $(CARGO) test --locked --quiet -p clipmill --test chaos -- --nocapture --exact table::the_table_of_faults

# A hostile user beside a regular one for SECONDS (default 600), with bounds for speed. DATABASE=postgres runs it with a
# PostgreSQL server of its own instead of the embedded database; SEED=n repeats the choices.
siege: deps
	@CLIPMILL_SIEGE="$(SECONDS)" $(if $(DATABASE),CLIPMILL_SIEGE_DATABASE="$(DATABASE)") $(if $(SEED),CLIPMILL_SIEGE_SEED="$(SEED)") \
	  $(CARGO) test --release --locked --quiet -p clipmill --test siege -- --nocapture

serve: deps
	$(CARGO) run --release --locked --bin clipmill -- serve --data $(DATA)

check: deps deny
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) clippy -p clipmill --no-default-features --bins --examples --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --quiet --document-private-items
	@if $(CARGO) machete --version >/dev/null 2>&1; then $(CARGO) machete; \
	else echo "machete: skipped, cargo-machete is not installed (cargo install cargo-machete)"; fi

# The API's description against a running service, with clients generated from it (Python, TypeScript).
clients: deps
	@scripts/test-clients.sh

# Release files: a tarball, a Debian package if cargo-deb is installed, checksums; in target/packages.
dist:
	@scripts/dist.sh

# Image, compose file, chart, units, tarball and Debian package, linted or tested as far as possible without a container
# engine.
packages: deps
	@scripts/test-packages.sh

# The console's pages, built into the folder that the program embeds; needs Node and npm.
console:
	@scripts/build-console.sh

# The console in Debian's Chromium against a running service.
console-test: deps
	@scripts/test-console.sh

# Compares clipmill with its peers; writes docs/operate/performance.md. ROUNDS=1 for a quick run. PEERS=all installs further
# peers (MoviePy, editly) and measures larger, longer and many more outputs as well: half an hour more per round. An
# interrupted run is continued by the next one, if the program is the same.
bench: deps
	@$(if $(filter all,$(PEERS)),CARGO_TARGET_DIR="$(TARGET)" scripts/install-peers.sh)
	@$(CARGO) build --release --quiet --locked --bin clipmill
	@$(CARGO) run --release --quiet --locked --manifest-path bench/Cargo.toml --target-dir $(TARGET) -- all \
	  $(if $(filter all,$(PEERS)),--peers $(TARGET)/peers) --record $(TARGET)/bench-rounds.json $(TARGET)/release/clipmill

# How long jobs take on machines with 2 to 64 cores, computed from the processes that they start here; writes the table
# into docs/operate/performance.md.
bench-width: deps
	@$(CARGO) build --release --quiet --locked --bin clipmill
	@$(CARGO) run --release --quiet --locked --manifest-path bench/Cargo.toml --target-dir $(TARGET) -- width \
	  $(TARGET)/release/clipmill

# The search behind the presets; writes their table into docs/contributing/performance-measurements.md.
bench-encoder: deps
	@$(CARGO) run --release --quiet --locked --manifest-path bench/Cargo.toml --target-dir $(TARGET) -- encoder

# Planning the largest request, alone: time (criterion) and memory.
bench-planning:
	@$(CARGO) bench --quiet --locked --manifest-path bench/planning/Cargo.toml --target-dir $(TARGET)

# Licences, banned crates and sources, also of other platforms' crates, which are fetched if they are missing.
# Skipped where cargo-deny is not installed.
deny:
	@if $(CARGO) deny --version >/dev/null 2>&1; then \
	  $(CARGO) fetch --locked --quiet && $(CARGO) deny --offline check licenses bans sources; \
	else echo "deny: skipped, cargo-deny is not installed (cargo install cargo-deny)"; fi

# Mutation tests: changes that the core's own tests would not notice, in SAMPLE places that SEED draws. Needs
# cargo-mutants; most of an hour.
.PHONY: mutants
mutants:
	@scripts/mutants.sh

# Each fuzz target for SECONDS (TARGETS selects some). Needs cargo-fuzz, no nightly toolchain. Findings are in
# fuzz/artifacts, new cases in fuzz/corpus; small relevant ones go to fuzz/seeds, which tests run too.
SECONDS ?= 600
TARGETS ?= requests captions ass_text urls probe containers icc fonts joined webp
fuzz:
	@for target in $(TARGETS); do \
	  mkdir -p fuzz/corpus/$$target && (cd fuzz && RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run --sanitizer none $$target \
	    corpus/$$target seeds/$$target -- -max_total_time=$(SECONDS) -timeout=20 -rss_limit_mb=2048) || exit 1; \
	done

.PHONY: sim soak
# A thousand workers and a million items on a private PostgreSQL, without the rendering: about a quarter of an hour.
# WRITE=docs/contributing/scaling-measurements.md writes the figures there; the page lists WORKERS, ITEMS, SECONDS, …
sim:
	@scripts/install-deps.sh test
	@$(CARGO) bench --quiet --locked -p clipmill-store --bench sim

# The whole program at full load for half an hour, watched for anything that grows; SECONDS and TASKS for less.
soak: deps
	@$(CARGO) bench --quiet --locked -p clipmill --bench soak

fmt:
	$(CARGO) fmt --all

deps:
	@scripts/install-deps.sh

# The images of docs/api/effects.md, docs/api/transitions.md and docs/images/captions, which the service shows too: after a
# change of effects, looks, transitions or caption styles.
previews: deps
	$(CARGO) run --locked --bin clipmill -- effects --preview target/previews/effects --thumbnails
	$(CARGO) run --locked --bin clipmill -- looks --preview target/previews/looks --thumbnails
	ffmpeg -v error -y -i samples/bigbuckbunny.mp4 -i samples/city.mp4 -filter_complex \
		"[0]trim=2:4,setpts=PTS-STARTPTS,fps=30,scale=720:404,setsar=1[a];[1]trim=0:2,setpts=PTS-STARTPTS,fps=30,scale=720:404,setsar=1[b];[a][b]concat" \
		-c:v libx264 -qp 4 -pix_fmt yuv420p target/previews/two-clips.mp4
	$(CARGO) run --locked --bin clipmill -- transitions --preview target/previews/transitions --thumbnails --source target/previews/two-clips.mp4
	mkdir -p docs/images/effects docs/images/looks docs/images/transitions
	cp target/previews/effects/*.webp docs/images/effects/
	cp target/previews/looks/*.webp docs/images/looks/
	cp target/previews/transitions/*.webp docs/images/transitions/
	scripts/caption-styles.py "$${CARGO_TARGET_DIR:-target}/debug/clipmill" docs/images/captions
