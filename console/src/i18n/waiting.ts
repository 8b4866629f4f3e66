// What those are told whose work rests: said on every page.

export const waiting = {
  "waiting.paused": ["Your tasks wait: the service begins no new work at the moment.", "您的任务正在等待：服务暂时不开始新的处理。"],
  "waiting.reason": ["The operator says: {reason}", "运营方说明：{reason}"],
  "waiting.keeps": ["They keep their place and go on by themselves.", "任务会保留排队位置，并自动继续。"],
  "account.off": ["This account is switched off", "该账户已停用"],
} as const satisfies Record<string, readonly [string, string]>;
