// Sorts dropped files into clips and others before the upload.

const MEDIA = /\.(mp4|m4v|mov|mkv|webm|avi|flv|ts|mts|m2ts|mpe?g|wmv|3gp|gif)$/i;
const PICTURE = /\.(jpe?g|png|webp)$/i;

export interface ClipFiles {
  taken: File[];
  /** Neither videos nor, if allowed, images. */
  strange: File[];
  /** Number of files beyond the limit. */
  over: number;
}

export function sortClipFiles(files: readonly File[], room: number, pictures: boolean): ClipFiles {
  const usable = files.filter((file) => isVideo(file) || (pictures && isPicture(file)));
  const unsupported = files.filter((file) => !usable.includes(file));
  const accepted = usable.slice(0, Math.max(0, room));
  return { taken: accepted, strange: unsupported, over: usable.length - accepted.length };
}

const isVideo = ({ type, name }: File) => type.startsWith("video/") || type === "image/gif" || MEDIA.test(name) || (type === "" && !name.includes("."));
const isPicture = ({ type, name }: File) => /^image\/(jpeg|png|webp)$/.test(type) || (type === "" && PICTURE.test(name));
