// The lengths of scenes that together last as long as a voice, as the service plans them: some are fixed, the others are
// scaled in steps, so that videos with voices of different lengths share their footage.

/** The shortest scaled scene, in seconds. All scaled scenes but the last are whole multiples of it. */
const STEP_S = 0.5;

export interface SceneLength {
  /** The declared length, or that of the scene's audio, in seconds. */
  seconds: number;
  /** Whether it is never scaled. */
  fixed: boolean;
}

/** How far neighbours overlap in transitions; one with two neighbours gives at most half of itself to each. */
export function overlapsOf(lengths: readonly number[], wanted: number): number[] {
  const room = (index: number) => (lengths[index] ?? 0) / (index === 0 || index === lengths.length - 1 ? 1 : 2);
  return lengths.slice(1).map((_, index) => Math.min(wanted, room(index), room(index + 1)));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const totalOf = (lengths: readonly number[], overlap: number) => sum(lengths) - sum(overlapsOf(lengths, overlap).map(Math.floor));

/** Lengths in seconds with which the scenes, less their transitions, last for `content` seconds; null if they do not fit. */
export function fitScenes(scenes: readonly SceneLength[], content: number, transition: number, fps: number): number[] | null {
  const frames = (seconds: number) => Math.round(seconds * fps);
  const step = Math.ceil(STEP_S * fps);
  const [wanted, overlap] = [frames(content), frames(transition)];
  const own = scenes.map(({ seconds, fixed }) => ({ fixed, frames: Math.max(1, frames(seconds)) }));
  const least = sum(own.map((scene) => (scene.fixed ? scene.frames : step)));
  const fits = (total: number) => totalOf(scaled(own, total, step), overlap) <= wanted;
  if (own.length === 0 || !fits(least)) return null;
  let [low, high] = [least, Math.max(least, wanted + overlap * own.length)];
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  const lengths = scaled(own, low, step);
  // The remainder lengthens the last scaled scene, or the last one; its transition may become longer, too.
  const lastScaled = own.findLastIndex((scene) => !scene.fixed);
  const last = lastScaled < 0 ? own.length - 1 : lastScaled;
  for (let missing = wanted - totalOf(lengths, overlap); missing > 0; missing = wanted - totalOf(lengths, overlap)) {
    lengths[last] = (lengths[last] ?? 0) + missing;
  }
  return lengths.map((length) => length / fps);
}

/** The lengths in frames with this sum. Scaled scenes are in proportion, but at least a step; the last gets the remainder. */
function scaled(scenes: readonly { fixed: boolean; frames: number }[], total: number, step: number): number[] {
  const available = Math.max(0, total - sum(scenes.map((scene) => (scene.fixed ? scene.frames : 0))));
  const ends = endsOf(scenes.filter((scene) => !scene.fixed).map((scene) => scene.frames), available, step);
  let before = 0;
  return scenes.map((scene) => {
    if (scene.fixed) return scene.frames;
    const end = ends.shift() ?? before;
    const length = Math.max(0, end - before);
    before = end;
    return length;
  });
}

/** The end of each share of `available` frames: a whole number of steps, except for the last. */
function endsOf(weights: readonly number[], available: number, step: number): number[] {
  const shares: (number | null)[] = [...weights];
  let [all, byWeight] = [sum(weights), available];
  for (;;) {
    // A share of one step can make further shares too small.
    const small = shares.findIndex((weight) => weight !== null && weight * byWeight < step * all);
    if (small < 0) break;
    all -= shares[small] ?? 0;
    byWeight = Math.max(0, byWeight - step);
    shares[small] = null;
  }
  let [steps, weightBefore] = [0, 0];
  return shares.map((weight, index) => {
    if (weight === null) steps += 1;
    else weightBefore += weight;
    const end = steps * step + Math.floor((byWeight * weightBefore) / Math.max(1, all));
    return index === shares.length - 1 ? available : Math.floor(end / step) * step;
  });
}
