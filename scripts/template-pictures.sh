#!/bin/sh
# Re-creates the moving pictures of samples/templates, which the console shows. Needs the built program and ffmpeg.
# Usage: scripts/template-pictures.sh [PROGRAM]
set -eu
program=$(realpath "${1:-target/debug/clipmill}")
cd "$(dirname "$0")/.."
pictures=$PWD/console/src/assets/templates
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir -p "$pictures"
webp="-t 3 -c:v libwebp -quality 36 -compression_level 6 -loop 0"
cd samples/templates
for name in news-short product-video quote script seasonal-sale slideshow variations voiceover; do
  set --
  # Pictures show only samples that need no attribution.
  [ $name = voiceover ] && set -- --set "clips=../city.mp4|../picture.jpg"
  [ $name = product-video ] && set -- --set product=Mug --set "price=\$19"
  "$program" render $name.json "$@" -o "$out/$name"
  if [ $name = variations ]; then
    three="[0]fps=4,scale=144:80[a];[1]fps=4,scale=144:80[b];[2]fps=4,scale=144:80[c];[a][b][c]vstack=3"
    ffmpeg -v error -y -ss 1 -i "$out/$name/1.mp4" -ss 1 -i "$out/$name/2.mp4" -ss 1 -i "$out/$name/3.mp4" -filter_complex "$three" $webp "$pictures/$name.webp"
  else
    ffmpeg -v error -y -ss 1 -i "$out/$name/1.mp4" -vf "fps=4,scale=-2:240:flags=area" $webp "$pictures/$name.webp"
  fi
done
