// The few words of templates and batches that other pages say.

export const templateWords = {
  "nav.batches": ["Batches and templates", "批次与模板"],
  "template.save": ["Save as template", "保存为模板"],
} as const satisfies Record<string, readonly [string, string]>;
