import { describe, expect, test } from "vitest";
import { allClips, clipLists, moveClip, toRequest, type Clip, type Draft } from "../src/lib/draft";
import { goalDraft, isEmpty, STRENGTHS, strengthOf, withStrength, type Strength } from "../src/lib/goals";
import { hashOf } from "../src/lib/image-hash";
import { sampleColumns } from "../src/i18n/sample-columns";
import { SAMPLE_TEMPLATES, sampleRequest, templateBody } from "../src/lib/sample-templates";
import { groupAlike, isSpreadAutomatically, sceneCount, spread, type ClipFacts } from "../src/lib/spread";
import { GOAL_TYPES, type Goal } from "../src/lib/task-types";

const clip = (n: number, more: Partial<Clip> = {}): Clip => ({ _id: `m${n}-${n}`, url: `upload://c${n}`, ...more });
const withClips = (draft: Draft, clips: Clip[]): Draft => {
  const [first, ...others] = draft.params.scenes as Record<string, unknown>[];
  return { ...draft, params: { ...draft.params, scenes: [{ ...first, resources: clips }, ...others] } };
};
const idsOf = (draft: Draft) => clipLists(draft).map((list) => list.clips.map(({ _id }) => _id));

test.each(Object.keys(GOAL_TYPES) as Goal[])("a new draft for the goal %s has its type and is empty", (goal) => {
  const draft = goalDraft(goal);
  expect(draft.taskType).toBe(GOAL_TYPES[goal]);
  expect(isEmpty(draft)).toBe(true);
  expect(JSON.stringify(toRequest(draft))).not.toContain("_goal");
});

describe("strengths", () => {
  test.each(Object.keys(STRENGTHS) as Strength[])("%s is recognized, and keeps other options", (strength) => {
    const options = withStrength({ fps: 25, isMirror: true, speed: { isSpeed: true, start: 2 } }, strength);
    expect(strengthOf(options)).toBe(strength);
    expect(options.fps).toBe(25);
  });
  test("another value is no strength", () => {
    expect(strengthOf({ ...STRENGTHS.medium, speed: { isSpeed: true, start: 0.9, end: 1.5 } })).toBe(null);
    expect(strengthOf({})).toBe(null);
    // An option that is off again is as before.
    expect(strengthOf({ ...STRENGTHS.light, isMirror: false })).toBe("light");
  });
});

describe("clips are spread over scenes", () => {
  const dark = "0".repeat(32) + "1".repeat(32);
  const light = "1".repeat(32) + "0".repeat(32);
  const mixed = "10".repeat(32);

  test.each([[10, 20, 3], [6, 8, 3], [12, 70, 4], [6, 9, 2], [3, 20, null], [1, 1, null]])("%i clips, %i videos: %s scenes", (clips, videos, scenes) => {
    expect(sceneCount(clips, videos)).toBe(scenes);
  });

  test("similar clips share a scene, and sizes differ by at most one", () => {
    const facts: ClipFacts[] = [dark, light, mixed, dark, light, mixed, dark].map((hash) => ({ hash }));
    expect(groupAlike(facts, 3)).toEqual([[0, 3, 6], [1, 4], [2, 5]]);
    expect(groupAlike(Array.from({ length: 10 }, () => ({})), 3).map((group) => group.length).sort()).toEqual([3, 3, 4]);
  });

  test("clips of similar lengths share a scene, which is as long as its shortest clip", () => {
    const lengths = [1.26, 9, 1.3, 8, 1.29, 10];
    const draft = spread(withClips(goalDraft("many"), lengths.map((_, n) => clip(n))), 9, ({ _id }) => ({ seconds: lengths[Number(_id.split("-")[1])] }));
    expect(idsOf(draft)).toEqual([["m0-0", "m2-2", "m4-4"], ["m1-1", "m3-3", "m5-5"]]);
    expect((draft.params.scenes as { duration: number }[]).map((scene) => scene.duration)).toEqual([1.2, 3]);
  });

  test("a few clips are in every scene once they are uploaded, and spreading again changes nothing", () => {
    const clips = [clip(1), clip(2), clip(3)];
    const waiting = spread(withClips(goalDraft("many"), [clip(1), clip(2), { _id: "m3-3", _upload: "u" }]), 10, () => ({}));
    expect(clipLists(waiting).map((list) => list.clips.length)).toEqual([1, 1, 1]);
    const draft = spread(withClips(goalDraft("many"), clips), 10, () => ({}));
    expect(clipLists(draft).map((list) => list.clips.map(({ url }) => url))).toEqual(Array(3).fill(["upload://c1", "upload://c2", "upload://c3"]));
    expect(new Set(allClips(draft).map(({ _id }) => _id)).size).toBe(9);
    expect(spread(draft, 10, () => ({}))).toBe(draft);
  });

  test("a move by the user ends it", () => {
    const draft = spread(withClips(goalDraft("many"), Array.from({ length: 10 }, (_, n) => clip(n))), 20, () => ({}));
    expect(isSpreadAutomatically(draft)).toBe(true);
    const [first, second] = clipLists(draft);
    expect(isSpreadAutomatically(moveClip(draft, first?.clips[0]?._id ?? "", second?.id ?? "", 0))).toBe(false);
  });
});

test("a hash has a bit for each pair of neighbours", () => {
  expect(hashOf(Array.from({ length: 72 }, (_, at) => 9 - (at % 9)))).toBe("1".repeat(64));
  expect(hashOf(Array.from({ length: 72 }, (_, at) => at % 9))).toBe("0".repeat(64));
});

describe("the templates of the samples", () => {
  test("all have a picture", () => expect(SAMPLE_TEMPLATES.length).toBe(8));
  test.each(SAMPLE_TEMPLATES.map((sample) => [sample.id, sample] as const))("%s opens without files and variables", (_, sample) => {
    const text = JSON.stringify(sampleRequest(sample));
    expect(text).not.toMatch(/\.\.\/|\{\{|\$if/);
    expect(text).toContain(`"taskType":"${String(sample.request.taskType)}"`);
  });
  test("all columns have titles in both languages", () => {
    const columns = SAMPLE_TEMPLATES.flatMap(({ id, variables }) => variables.map(({ name }) => `column.${id}.${name}`));
    expect(Object.keys(sampleColumns).sort()).toEqual(columns.sort());
  });
  test.each(SAMPLE_TEMPLATES.map((sample) => [sample.id, sample] as const))("%s is saved with columns for its files", (_, sample) => {
    const body = templateBody(sample, "Name", (column) => `${column}!`);
    for (const { name, label } of body.variables) expect(label).toBe(`${name}!`);
    expect(JSON.stringify(body)).not.toContain("../");
    const used = new Set([...JSON.stringify(body.request).matchAll(/\{\{([^{}]+)\}\}/g)].map(([, name]) => name));
    for (const { name } of body.variables) expect(used).toContain(name);
  });
});
