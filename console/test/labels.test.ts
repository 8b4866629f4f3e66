import { expect, test } from "vitest";
import { label } from "../src/i18n/fields";
import { t } from "../src/i18n";
import { pointsOf } from "../src/lib/types";
import { keyIn } from "../src/pages/sign-in";
import { randomChoices } from "../src/pages/task/item-detail";

test("a list shows the points spent by ended tasks", () => {
  const points = (status: number, consumedDotCount: number) => pointsOf({ status, consumedDotCount, estimatedDotCount: 15 });
  expect([points(0, 0), points(2, 5), points(3, 9), points(4, 0), points(5, 3), points(6, 0)]).toEqual([15, 15, 9, 0, 3, 0]);
});

test.each(["cm_live_a", " cm_live_a\n", "CLIPMILL_API_KEY=cm_live_a", "export CLIPMILL_API_KEY = 'cm_live_a'", '"cm_live_a"', 'CLIPMILL_API_KEY="cm_live_a"',
  // An input field removes line breaks.
  "CLIPMILL_API_KEY=cm_live_aCLIPMILL_WEBHOOK_SECRET=whsec_b"])("the key is found in %s", (text) => expect(keyIn(text)).toBe("cm_live_a"));

test("the only group of a video is not a random choice", () => {
  expect(randomChoices({ group: 0 }, 1)).toEqual({});
  expect(randomChoices({ group: 1, transitions: ["fade"] }, 1)).toEqual({ group: 1, transitions: ["fade"] });
});

test("the switch for several texts has the label of the field", () => {
  expect(t("overlays.several", { name: label("/params/options/overlays/0/texts") })).toContain("Texts, one for each video");
});
