//! Rows of the fields that all requests have.

use super::field::Field;
use super::field::Kind::{Array, Choice, Integer, Object, Text, WebUrl};

pub(super) const COMMON: &[Field] = &[
    Field::new("/taskType", Choice(&[]), "Type of the task; it determines the structure of `params`.").needed(),
    Field::new("/params", Object, "Parameters of the task.").needed()
        .details("See the task type"),
    Field::new("/callbackUrl", WebUrl, "URL that receives one callback when the task has reached a final state.")
        .label("Callback URL", "回调地址")
        .hint("Called once when the task has ended.", "制作结束时调用一次。")
        .details("`http(s)` URL that receives one callback when the task has reached a final state; see [Webhooks](../guides/webhooks.md)"),
    Field::new("/clientTaskId", Text(128), "Your own ID for this job (idempotency key). Sending the same body with the same ID again returns the existing task and costs nothing.")
        .label("Your own ID", "自定义编号")
        .hint("The same request with the same ID is never charged twice.", "相同编号的相同请求不会重复计费。")
        .details("Your own ID for this job (idempotency key), unique per user; see [Submit](#submit-a-task)"),
    Field::new("/name", Text(120), "Name of the task, for use in `list`. It affects neither the videos nor the comparison with earlier requests.")
        .label("Name", "名称")
        .hint("To find the task again.", "便于以后查找该作品。"),
    Field::new("/labels", Array(0, 10), "Up to ten labels, for use in `list`.")
        .details("Up to ten labels of up to 60 characters, for use in `list`"),
    Field::new("/labels/0", Text(60), "A label."),
    Field::new("/maxPoints", Integer(0, 9_007_199_254_740_991), "Maximum price of the task. A submission with a higher estimate fails with 40201; a task with a higher confirmed price is rejected.").otherwise("no limit").unit("points")
        .label("Price limit", "价格上限")
        .hint("The task is not rendered if it would cost more points.", "若所需点数超过此值，则不会制作。")
        .details("Maximum price of the task in points; see [Price limit](#price-limit)"),
    Field::new("/params/seed", Integer(0, 9_007_199_254_740_991), "Seed of all random choices. If omitted, a random seed is used.").otherwise("random")
        .label("Seed", "随机种子")
        .hint("The same seed and files produce the same videos. Empty: random.", "相同的种子与素材生成相同的成片。留空则随机。")
        .details("Seed of all random choices; see [Chance and seeds](#chance-and-seeds)"),
    Field::new("/params/options", Object, "Options; each has a default.")
        .details("Options. Those of mixes are listed in [Options of both mixes](#options-of-both-mixes)"),
    Field::new("/params/options/preset", Choice(&["draft", "standard", "high"]), "Encoding effort: `draft` is the fastest, `high` gives the best quality. The default is set by the installation, usually `standard`.").otherwise("set by the installation, usually `standard`")
        .details("Encoding effort: `draft` is the fastest, `high` gives the best quality; see [Presets](../operate/performance.md#presets)"),
];
