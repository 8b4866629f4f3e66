// Texts of invitations, and of who is signed in.

export const invitation = {
  "invitation.title": ["You are invited", "您收到了邀请"],
  "invitation.lead": ["With this invitation you can make videos here, without an API key of your own. It works once: use it in the browser that you work with.", "接受邀请后即可在此制作视频，无需自己保管 API 密钥。邀请只能使用一次，请在您常用的浏览器中打开。"],
  "invitation.once.hint": ["When you close this tab you are signed out, and you need a new invitation to sign in again. Drafts are saved in your account.", "关闭此标签页后将退出登录，再次登录需要新的邀请。草稿保存在您的账户中。"],
  "invitation.go": ["Accept and sign in", "接受并登录"],
  "invitation.busy": ["Signing in…", "正在登录…"],
  "invitation.other": ["You are signed in as {name}. Accepting signs you out there first. Drafts that are not saved yet, and tables with unsubmitted rows, are deleted from this browser.", "您当前以 {name} 的身份登录，接受邀请会先退出该账户。尚未保存的草稿和未提交的表格将从此浏览器删除。"],
  "invitation.stay": ["Do not accept", "暂不接受"],
  "invitation.key": ["Sign in with an API key", "使用 API 密钥登录"],
  "invitation.back": ["Back to the console", "返回控制台"],
  "invitation.invalid": ["This invitation cannot be used", "此邀请无法使用"],
  "invitation.invalid.lead": ["It was already used, was revoked, or has expired. Ask the person who sent it for a new link. If you accepted it in another browser and stayed signed in, continue there.", "它已被使用、已吊销或已过期，请向发送者索取新的链接。如果您已在其他浏览器中接受邀请并保持登录，请在该浏览器中继续使用。"],
  "invitation.welcome": ["Signed in as {name}.", "已以 {name} 的身份登录。"],
  "who.signed": ["Signed in as {name}", "当前用户：{name}"],
} as const satisfies Record<string, readonly [string, string]>;
