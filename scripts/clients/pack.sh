#!/usr/bin/env bash
# Packs the libraries of clients/ for publication, checks the contents and descriptions of the packages, installs them as
# users do, and checks the types of the examples in their READMEs: WORK, the folder with the tools that
# scripts/test-clients.sh installs.
set -eu
cd "$(dirname "$0")/../.."
work=$1
rm -rf "$work/libraries"
mkdir -p "$work/libraries/consumer"
cp -r clients/python clients/typescript "$work/libraries/"
cp -r clients/typescript/test "$work/libraries/consumer/"

# contains LIST FILE...: every file is in the list, one per line.
contains() {
  local list=$1 file
  shift
  for file in "$@"; do
    grep -qxF "$file" <<<"$list" || { printf 'clipmill: %s is missing in the package, which has:\n%s\n' "$file" "$list" >&2; exit 1; }
  done
}

# examples DOCUMENT LANGUAGE: its blocks in that language, one after the other.
examples() {
  awk -v fence="\`\`\`$2" '$0 == fence { on = 1; next } /^```/ { on = 0 } on' "$1"
}

guide=$PWD/docs/guides/clients.md
scripts=$PWD/scripts/clients

cd "$work/libraries/python"
"$work/venv/bin/python" -m build --no-isolation >build.log 2>&1 || { cat build.log >&2; exit 1; }
contains "$(python3 -m zipfile -l dist/*.whl | awk '{ print $1 }' | sed 's/clipmill-[0-9.]*[0-9]/clipmill/')" clipmill/__init__.py \
  clipmill/models.py clipmill/py.typed clipmill/_client.py clipmill/_async_client.py clipmill/_tasks.py clipmill/webhooks.py \
  clipmill.dist-info/licenses/LICENSE clipmill.dist-info/METADATA
contains "$(tar tzf dist/*.tar.gz | sed 's,^[^/]*/,,')" LICENSE README.md pyproject.toml src/clipmill/py.typed tests/test_offline.py
for package in "$PWD"/dist/*; do
  rm -rf fresh
  "$work/venv/bin/python" -m venv fresh
  fresh/bin/pip install --quiet --disable-pip-version-check "$package"
  (cd fresh && bin/python -I -c 'import clipmill, sys; sys.exit("site-packages" not in clipmill.__file__)')
done
rm -rf fresh
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps dist/*.whl
examples README.md python >readme.py
"$work/venv/bin/ruff" check --quiet .
"$work/venv/bin/ruff" format --quiet --check .
"$work/venv/bin/mypy" --no-error-summary src readme.py tests/typed.py
examples "$guide" python >guide.py
# The guide omits types that a reader does not need.
"$work/venv/bin/mypy" --no-error-summary --config-file= guide.py
rm -r src

cd "$work/libraries/typescript"
# Those of a developer's checkout.
rm -rf node_modules dist
ln -s "$work/node_modules" node_modules
node_modules/.bin/tsc -p tsconfig.json
archive=$(npm pack --silent --ignore-scripts)
mkdir "$work/libraries/packages"
cp ../python/dist/* "$archive" "$work/libraries/packages/"
contains "$(tar tzf "$archive" | sed 's,^package/,,')" package.json LICENSE README.md dist/index.js dist/index.d.ts \
  dist/models.d.ts src/index.ts
cd "$work/libraries/consumer"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --no-package-lock --prefer-offline "../typescript/$archive"
node "$scripts/documented.mjs" "$work" node_modules/clipmill/dist/index.d.ts
examples node_modules/clipmill/README.md ts >readme.ts
examples "$guide" ts >guide.ts
"$work/node_modules/.bin/tsc" --strict --noEmit --target es2022 --module nodenext --moduleResolution nodenext \
  --typeRoots "$work/node_modules/@types" --types node readme.ts guide.ts test/typed.ts
