#!/bin/sh
# An ffmpeg whose h264_nvenc is libx264, for tests on machines without such a card. With a file `absent` beside it there
# is no device at all, whatever the machine has.
real=/usr/bin/ffmpeg
here=$(dirname "$0")
if [ -e "$here/absent" ]; then
  case " $* " in *" h264_nvenc "* | *" h264_qsv "* | *" h264_vaapi "*)
    echo "no device of this kind is plugged in" >&2
    exit 1
  esac
fi
case " $* " in
  *" h264_nvenc "*) ;;
  *) exec "$real" "$@" ;;
esac
if [ -e "$here/broken" ]; then
  head -c 300000 > /dev/null
  echo "[h264_nvenc @ 0x1] the card fell off the bus" >&2
  exit 1
fi
count=$#
while [ "$count" -gt 0 ]; do
  word=$1
  shift
  count=$((count - 1))
  case "$word" in
    h264_nvenc) set -- "$@" libx264 ;;
    -rc | -cq | -b:v | -strict_gop) shift; count=$((count - 1)) ;;
    p2 | p5 | p7) set -- "$@" superfast -crf 21 -x264-params stitchable=1 ;;
    setparams=*) if [ -e "$here/wrong" ]; then word="negate,$word"; fi; set -- "$@" "$word" ;;
    *) set -- "$@" "$word" ;;
  esac
done
exec "$real" "$@"
