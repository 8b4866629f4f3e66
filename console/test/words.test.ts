// The words of the console: one term for each concept, in both languages.

import { describe, expect, test } from "vitest";
import { batchWords } from "../src/i18n/batches";
import { brandPageWords, brandWords } from "../src/i18n/brand";
import { canvasWords } from "../src/i18n/canvas";
import { captions } from "../src/i18n/captions";
import { compose } from "../src/i18n/compose";
import { composer } from "../src/i18n/composer";
import { dropDialogWords, dropped } from "../src/i18n/dropped";
import { extraFields } from "../src/i18n/extra-fields";
import { feedbackWords } from "../src/i18n/feedback";
import fields from "../src/i18n/fields.json";
import { general } from "../src/i18n/general";
import { home } from "../src/i18n/home";
import { invitation } from "../src/i18n/invitation";
import messages from "../src/i18n/messages.json";
import { noticeWords } from "../src/i18n/notices";
import { operate } from "../src/i18n/operate";
import { operators } from "../src/i18n/operators";
import { play } from "../src/i18n/play";
import { review } from "../src/i18n/review";
import { sampleColumns } from "../src/i18n/sample-columns";
import { tasks } from "../src/i18n/tasks";
import { templateWords } from "../src/i18n/templates";

const own = { ...general, ...tasks, ...captions, ...compose, ...composer, ...operate, ...operators, ...play, ...review, ...templateWords, ...noticeWords, ...batchWords, ...feedbackWords, ...dropped, ...dropDialogWords, ...brandWords, ...brandPageWords, ...canvasWords, ...home, ...invitation, ...sampleColumns };

/** All pairs of texts in a table, with their keys. */
function pairs(value: unknown, at: string): [string, string, string][] {
  if (Array.isArray(value)) {
    const isPair = value.length === 2 && value.every((one) => typeof one === "string");
    return isPair ? [[at, value[0] as string, value[1] as string]] : value.flatMap((one, index) => pairs(one, `${at}.${index}`));
  }
  return value !== null && typeof value === "object" ? Object.entries(value).flatMap(([key, one]) => pairs(one, `${at}.${key}`)) : [];
}

const all = [...pairs(own, "i18n"), ...pairs(extraFields, "extra"), ...pairs(fields.fields, "fields"), ...pairs(messages, "messages")];

/** Replaced words; each has one other term. */
const ENGLISH = [
  /\bmend/i, /watch them grow/i, /of another shape|behind them/i, /another aspect ratio/i, /\bnearer\b|^away$|\bdrawn\b|draw again/i, /cut after/i, /^whole$/i,
  /engineers|technical details/i, /chance/i, /makes it again|repeats the random/i, /looked at/i, /\blanes?\b/i, /\bpictures? (?:of|that|is|are)\b/i,
  /\b(?:tells?|told)\b/i, /\bour(?:s| fault)\b/i,
];
const CHINESE = [/任务/, /资源/, /你/, /运营方|服务管理员|运维/, /去重/, /截取至/, /重制/, /成品/];

describe("replaced words stay out", () => {
  test("all texts are examined", () => expect(all.length).toBeGreaterThan(1000));
  test.each(ENGLISH.map((word) => [word]))("English: %s", (word) => expect(all.filter(([, en]) => word.test(en))).toEqual([]));
  test.each(CHINESE.map((word) => [word]))("Chinese: %s", (word) => expect(all.filter(([, , zh]) => word.test(zh))).toEqual([]));
});

test("the agreed words are in use", () => {
  expect([own["board.cut"], own["board.all"]]).toEqual([["Trim to", "时长上限（留空为全长）"], ["full length", "全长"]]);
  expect([own["task.engineers"][0], own["engineers.title"][0], own["task.recipe"][0], own["task.seed"]]).toEqual(["Advanced", "Advanced", "Random choices", ["Seed", "随机种子"]]);
  expect([own["nav.tasks"][1], own["nav.new"][1], own["type.videoDeduplication"][1]]).toEqual(["作品", "开始制作", "批量变体"]);
  const labels = fields.fields as unknown as Record<string, { label: [string, string]; words?: Record<string, [string, string]> }>;
  expect(labels["/params/seed"]?.label).toEqual(["Seed", "随机种子"]);
  expect([labels["/params/options/resolutionMode"]?.label[0], labels["/params/options/background"]?.label[0]]).toEqual(["If the shape differs", "Background"]);
  const motions = labels["/params/options/imageMotion"]?.words;
  expect([motions?.zoomIn?.[0], motions?.zoomOut?.[0], motions?.random?.[0]]).toEqual(["Zoom in", "Zoom out", "Random"]);
});
