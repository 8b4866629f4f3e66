"""Request and response types, generated from docs/openapi.json by scripts/generate-clients.sh; do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Account(TypedDict):
    """What the operator has set for the key and the service."""

    scopes: list[str]
    """Scopes of the key: `read`, `submit`, `admin`."""
    contact: NotRequired[str | None]
    """Where to ask for points or help: an email address or a URL. Null if the operator has not set it."""


class Attempt(TypedDict):
    """One attempt to deliver."""

    time: str
    """When it began."""
    durationMs: NotRequired[int | None]
    """Milliseconds until it was answered or given up; null when the service stopped meanwhile."""
    status: NotRequired[int | None]
    """HTTP status of the answer; null without one."""
    error: NotRequired[str | None]
    """Why it does not count as delivered; null when it does."""


class Balance(TypedDict):
    """`balance` can be spent; `total` also includes the points held for open tasks."""

    balance: int
    """Points that can be spent."""
    held: int
    """Points set aside for tasks under way."""
    total: int
    """Both together."""
    account: NotRequired[Account | None]


BatchEventType: TypeAlias = Literal["batch.completed", "batch.failed", "batch.cancelled"]
"""Content of a batch event."""


class Bilingual(TypedDict):
    """A text in both languages."""

    en: str
    zh: str


CallbackStatus: TypeAlias = Literal["none", "waiting", "due", "sending", "delivered", "failed"]
"""State of a callback."""


class CatalogueEntry(TypedDict):
    """One entry of a catalogue."""

    name: str
    """As requests and recipes name it."""
    title: Bilingual
    description: Bilingual
    previewUrl: str
    """A small WebP picture, animated for effects; no key is needed."""


class Deduction(TypedDict):
    """Points to be taken away."""

    userId: int
    points: int
    remark: str
    """Reason, shown in the user's records."""


class Delivery(TypedDict):
    """State of a callback."""

    url: NotRequired[str | None]
    """The `callbackUrl`."""
    status: CallbackStatus
    """
    `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: to be sent at `nextAttemptTime`;
    `sending`; `delivered`; `failed`: no attempt will follow.
    """
    eventId: NotRequired[str | None]
    """The `webhook-id` of every attempt; null before the end."""
    createTime: NotRequired[str | None]
    """When the task or batch ended."""
    nextAttemptTime: NotRequired[str | None]
    """When the next attempt is due; null where none is."""
    attempts: list[Attempt]
    """The oldest first."""


class DirectUpload(TypedDict):
    """Size of the file, and whether it is sent in parts."""

    sizeBytes: int
    """Exact size of the file."""
    multipart: NotRequired[bool | None]
    """Whether to send it in parts, which can go side by side and be repeated one by one; always above 5 GiB."""


class DiversityPair(TypedDict):
    """Two outputs of a task."""

    items: list[int]
    """Numbers of the two items."""
    sharedSeconds: float
    """Seconds of source footage that both show."""
    similarity: NotRequired[float | None]
    """How alike they look, 0 to 1; null until the task has ended, in lists, and where it is not known."""


class Diversity(TypedDict):
    """Footage that outputs of a task share, and their similarity."""

    pairs: list[DiversityPair]
    """All of up to 20 pairs in the order of their items; of more, the 20 that share most, those first."""
    totalPairs: NotRequired[int | None]
    """Number of all pairs; `diversity/{taskNo}` lists them. Left out where `pairs` has them all for certain."""
    mostSimilar: DiversityPair
    """The pair that shares most."""
    mostAlike: NotRequired[DiversityPair | None]


ErrorCodeName: TypeAlias = Literal["URL_BLOCKED", "URL_SCHEME", "DOWNLOAD_FAILED", "NOT_MEDIA", "FORMAT_NOT_ALLOWED", "CODEC_NOT_ALLOWED", "MEDIA_TOO_LARGE", "MEDIA_DAMAGED", "NO_VIDEO_STREAM", "CLIP_TOO_SHORT", "SUBTITLE_INVALID", "MASK_INVALID", "RENDER_FAILED", "RENDER_TIMEOUT", "CANCELLED", "INTERNAL"]
"""Kind of a failure inside a task."""


class ItemError(TypedDict):
    code: ErrorCodeName
    """Kind of failure."""
    message: str
    """Cause of the failure, and how to fix it."""
    input: NotRequired[str | None]
    """The url to blame, as the client gave it."""
    retryable: bool
    """Whether sending the same again may succeed."""
    charged: bool
    """Whether points were taken for the item all the same."""


EventName: TypeAlias = Literal["state", "progress", "item"]
"""Content of an event."""


class TaskEvent(TypedDict):
    """One server-sent event of a task."""

    event: EventName
    id: str
    """Stands for all events up to this one; a client that connects again sends it as `Last-Event-ID`."""
    data: str
    """JSON: a task without its items, its progress, or one item."""


EventType: TypeAlias = Literal["task.completed", "task.failed", "task.cancelled", "task.rejected"]
"""Content of an event."""


class FailureCause(TypedDict):
    """How often outputs failed by one cause."""

    code: ErrorCodeName
    items: int
    """Outputs that failed so."""
    tasks: int
    """Tasks that these outputs belong to."""
    users: int
    """Users whose tasks these are."""
    lastTime: str
    """When the last of these tasks ended."""


FailureCauses = TypedDict(
    "FailureCauses",
    {
        "from": str,
        "to": str,
        "list": list[FailureCause],
        "total": int,
    },
)


class Failure(TypedDict):
    """An item that ended without an output."""

    taskNo: str
    itemNo: int
    userName: str
    code: ErrorCodeName
    message: str
    input: NotRequired[str | None]
    retryable: bool
    finishTime: NotRequired[str | None]
    """When the task ended; null while other items of it go on."""


class FileRequest(TypedDict):
    """One file and a moment in it."""

    url: str
    """An upload of yours or a web address."""
    atSeconds: NotRequired[float | None]
    """Early in the file when absent."""
    width: NotRequired[int | None]
    """Maximum width of the frame, in pixels."""


class OutputFile(TypedDict):
    """The output file. `url` and `expiresAt` are null once the file is gone."""

    url: NotRequired[str | None]
    """Signed link to the file; a fresh one at each call."""
    coverUrl: NotRequired[str | None]
    """Signed link to a cover picture (JPEG)."""
    expiresAt: NotRequired[str | None]
    """When the links stop working."""
    fileExpiresAt: NotRequired[str | None]
    """When the file is removed."""
    duration: NotRequired[float | None]
    """Seconds."""
    width: NotRequired[int | None]
    """Pixels."""
    height: NotRequired[int | None]
    """Pixels."""
    fps: NotRequired[int | None]
    """Frames a second."""
    sizeBytes: NotRequired[int | None]
    """Size of the file."""
    sha256: NotRequired[str | None]
    """Of the file, lower-case hexadecimal."""
    videoCodec: NotRequired[str | None]
    """`h264`."""
    audioCodec: NotRequired[str | None]
    """`aac`, or null for an output without sound."""


class FontEntry(TypedDict):
    """A font for captions."""

    name: str
    """As `subtitle.style.font` names it."""
    title: Bilingual
    scripts: list[str]
    """What it draws by itself, by ISO 15924; other fonts step in for the rest."""
    weights: list[str]


class GrantRequest(TypedDict):
    """Points for a user."""

    userId: int
    points: int
    remark: NotRequired[str | None]
    """Stands in the user's records."""


class Grant(TypedDict):
    userId: int
    points: int
    balance: int
    """Balance of the user afterwards."""
    held: int


class Health(TypedDict):
    status: str
    version: str


class KeyRequest(TypedDict):
    """Scopes and expiry of a key."""

    scopes: NotRequired[list[str] | None]
    """`read`, `submit`, `admin`; the first two when absent."""
    expireTime: NotRequired[str | None]
    """RFC 3339, or a date (its beginning in UTC); without end when absent."""


class Key(TypedDict):
    """A key as it is stored: never the key itself."""

    keyId: int
    prefix: str
    """How it begins."""
    scopes: list[str]
    """`read`, `submit`, `admin`."""
    createTime: str
    expireTime: NotRequired[str | None]
    """When it ends by itself; null: never."""
    revokeTime: NotRequired[str | None]
    lastUseTime: NotRequired[str | None]
    """To the minute."""
    current: bool
    """Whether this call was made with this key."""


class Keys(TypedDict):
    list: list[Key]
    total: int


class MediaAudio(TypedDict):
    codec: str
    channels: int
    sampleRate: int
    duration: float
    """Seconds."""


MediaKindName: TypeAlias = Literal["video", "picture", "audio"]
"""Kind of a file."""


class MediaVideo(TypedDict):
    codec: str
    width: int
    """Pixels, as shown."""
    height: int
    duration: float
    """Seconds."""
    frames: int
    frameRate: float
    rotation: int
    """Degrees clockwise."""
    still: bool
    """Whether it is an image."""


class NewKey(TypedDict):
    """A new key, which is shown only here."""

    keyId: int
    userId: int
    apiKey: str
    scopes: list[str]
    expireTime: NotRequired[str | None]


class NewShare(TypedDict):
    """Outputs to show, and expiry."""

    items: NotRequired[list[int] | None]
    """Numbers of items; all when absent."""
    expiresAt: NotRequired[str | None]
    """RFC 3339, or a date (its beginning in UTC); with the files when absent."""


class NewUserRequest(TypedDict):
    """A user to be made."""

    name: str
    points: NotRequired[int | None]
    """Points to begin with."""


class NewUser(TypedDict):
    """A new user. The key and the secret are shown only here."""

    userId: int
    name: str
    apiKey: str
    webhookSecret: str


class Part(TypedDict):
    """One part of a file."""

    partNumber: int
    """From 1."""
    sizeBytes: int
    """The exact number of bytes that the link takes."""
    url: str
    """Takes the part as its body."""


class PauseRequest(TypedDict):
    """Reason for the pause."""

    reason: NotRequired[str | None]
    """Users whose tasks wait see it."""


class Pause(TypedDict):
    """No new work starts."""

    since: str
    reason: NotRequired[str | None]
    """Note of the operator."""


class Paused(TypedDict):
    """Whether anything changed."""

    paused: bool
    changed: bool


class Quality(TypedDict):
    """The check made on a finished file."""

    framesPlanned: int
    framesFound: int
    avDifferenceMs: NotRequired[float | None]
    """End of sound minus end of picture; null without sound."""
    loudnessLufs: NotRequired[float | None]
    """Integrated loudness (EBU R128); null for silence or no sound."""
    truePeakDbtp: NotRequired[float | None]
    """dBTP, of the file as it decodes."""
    durationErrorMs: float
    """End of the longer of sound and picture minus the planned length."""
    blackSeconds: float
    """Length of the black parts."""
    frozenSeconds: float
    """Length of the parts that stand still."""
    speed: NotRequired[float | None]
    """Seconds of output for each second of work."""


class QueueDepth(TypedDict):
    kind: str
    """`preflight`, `segment` or `finish`."""
    state: str
    """`ready`, `delayed`, `waiting` or `running`."""
    count: int
    oldestAgeSeconds: int


RecordType: TypeAlias = Literal["grant", "hold", "settle", "release", "adjust"]
"""Kind of a movement."""


class PointsRecord(TypedDict):
    """
    One movement of points. `dotCount` is the signed change of the spendable balance, `amount` the points
    concerned: a settlement has an amount and changes nothing, because the hold took the points before.
    """

    recordNo: int
    """Unique in the installation."""
    type: RecordType
    dotCount: int
    """Signed change of the points that can be spent."""
    amount: int
    """Points concerned."""
    balanceAfter: int
    """Points that can be spent afterwards."""
    taskNo: NotRequired[str | None]
    """Task it was for; null for a grant."""
    batchNo: NotRequired[str | None]
    """Batch it was for, while its rows were no tasks yet; null otherwise."""
    itemNo: NotRequired[int | None]
    """Item it was for; of a batch of an earlier version, the row."""
    remark: str
    """Why."""
    createTime: str
    """RFC 3339, UTC."""


class Requeued(TypedDict):
    requeued: int
    """Pieces of work that are ready again."""


RowStateName: TypeAlias = Literal["waiting", "made", "refused", "cancelled"]
"""State of a row."""


class Running(TypedDict):
    workId: int
    kind: str
    userName: str
    taskNo: NotRequired[str | None]
    """Of a shared segment, the oldest task that waits for it."""
    itemNo: NotRequired[int | None]
    worker: str
    runningSeconds: int
    leaseSeconds: int
    """Until the lease ends, unless it is renewed; negative once it has ended."""
    attempts: int
    """Failures so far, and leases lost."""
    lostLeases: int


class SentUpload(TypedDict):
    """The finished upload."""

    uploadId: str
    """As `presign` answered it."""
    fileName: NotRequired[str | None]
    """A name for you."""
    etags: NotRequired[list[str] | None]
    """For parts: the header `ETag` of each answer, in order."""


class SharedTask(TypedDict):
    """Part of a share that belongs to one task."""

    taskNo: str
    items: NotRequired[list[int] | None]
    """Numbers of the items that it shows; null for all."""


class SoundRequest(TypedDict):
    """One file, and which seconds of its sound are wanted."""

    url: str
    """An upload of yours or a web address."""
    atSeconds: NotRequired[float | None]
    seconds: NotRequired[float | None]
    """Less where the sound ends before."""


StateName: TypeAlias = Literal["pending submission", "queued", "executing", "completed", "failed", "cancelled", "rejected"]
"""State in words."""


class SwitchOff(TypedDict):
    """Why a user is switched off."""

    reason: str
    """The user sees it."""
    cancel: NotRequired[bool | None]
    """Cancel the user's open tasks and batches; otherwise they are finished."""


class Switched(TypedDict):
    """Whether a user is switched off."""

    userId: int
    offSince: NotRequired[str | None]
    offReason: NotRequired[str | None]
    """The reason that the user is given."""
    cancelled: int
    """Tasks and batches that were cancelled."""


TaskLabel: TypeAlias = str
"""A label."""


class TaskNaming(TypedDict):
    """New name and labels of a task. Omitted fields are left unchanged; null clears them."""

    name: NotRequired[str | None]
    labels: NotRequired[list[TaskLabel] | None]
    """In place of those that the task has."""


class TaskToShare(TypedDict):
    """Outputs of a task to show."""

    taskNo: str
    items: NotRequired[list[int] | None]
    """Numbers of items; all when absent."""


TaskTypeName: TypeAlias = Literal["videoDeduplication", "baseVideoMix", "proVideoMix"]
"""Kind of task."""


class TemplateOverview(TypedDict):
    """Template as listed."""

    templateNo: str
    """`TP` and 26 characters."""
    name: str
    version: int
    """From 1; each change makes the next."""
    createTime: str
    updateTime: str


class TemplateRef(TypedDict):
    """Source of a task."""

    templateNo: str
    version: int


class UploadName(TypedDict):
    """A name."""

    name: str


class UsageSum(TypedDict):
    points: int
    """Points spent."""
    outputs: int
    """Outputs delivered."""
    outputSeconds: float
    """Their seconds together."""


class UserLoad(TypedDict):
    userName: str
    ready: int
    running: int


class UserUsage(TypedDict):
    """Usage of a user in the period, and bytes stored now."""

    points: int
    """Points spent."""
    outputs: int
    """Outputs delivered."""
    outputSeconds: float
    """Their seconds together."""
    userId: int
    userName: str
    storedBytes: int
    """Bytes of results and uploads that are kept now."""


class User(TypedDict):
    userId: int
    name: str
    balance: int
    """Points that can be spent."""
    held: int
    tasks: int
    """Tasks that are still known."""
    createTime: str
    offSince: NotRequired[str | None]
    """Since when the user is switched off; null while the user is not."""
    offReason: NotRequired[str | None]
    """The reason that the user is given."""


VariableTypeName: TypeAlias = Literal["text", "number", "url", "color", "choice"]
"""Kind of a variable."""


VariableValue: TypeAlias = str | float | bool
"""Value of a variable: a text, a number, true or false."""


class Remark(TypedDict):
    """A remark; `path` is a JSON Pointer into the request, empty where no one place is meant."""

    path: str
    message: str


class WideShare(TypedDict):
    """Tasks and outputs to show, and expiry."""

    tasks: list[TaskToShare]
    """In the order of the page; 1,000 videos at most."""
    expiresAt: NotRequired[str | None]
    """RFC 3339, or a date (its beginning in UTC); with the files when absent."""


class Worker(TypedDict):
    """A worker that has reported within the last day."""

    name: str
    host: str
    version: str
    slots: int
    running: int
    kinds: list[str]
    """Kinds of work it takes."""
    draining: bool
    """It takes no new work and exits when its current work is done."""
    alive: bool
    """It has reported within the last half minute."""
    startedAt: str
    seenAt: str


class Workers(TypedDict):
    list: list[Worker]
    total: int


class PageDiversityPair(TypedDict):
    """A page of a list, newest first."""

    list: list[DiversityPair]
    total: int
    pageNo: int
    pageSize: int


class PageFailure(TypedDict):
    """A page of a list, newest first."""

    list: list[Failure]
    total: int
    pageNo: int
    pageSize: int


class PageRecord(TypedDict):
    """A page of a list, newest first."""

    list: list[PointsRecord]
    total: int
    pageNo: int
    pageSize: int


class PageTemplateOverview(TypedDict):
    """A page of a list, newest first."""

    list: list[TemplateOverview]
    total: int
    pageNo: int
    pageSize: int


class PageUser(TypedDict):
    """A page of a list, newest first."""

    list: list[User]
    total: int
    pageNo: int
    pageSize: int


class TemplateUse(TypedDict):
    """A template of yours with values, in place of a request."""

    template: str
    """Number of the template."""
    version: NotRequired[int | None]
    """The newest when absent."""
    values: NotRequired[dict[str, Any] | None]
    """Values of its variables, by name."""
    clientTaskId: NotRequired[str | None]
    """As in a request; in place of the template's."""
    callbackUrl: NotRequired[str | None]
    """As in a request; in place of the template's."""
    name: NotRequired[str | None]
    """As in a request; in place of the template's."""
    labels: NotRequired[list[str] | None]
    """As in a request; in place of the template's."""
    maxPoints: NotRequired[int | None]
    """As in a request; in place of the template's."""


class VideoDeduplicationOptionsFrameExtraction(TypedDict):
    """Drop frames down to a rate drawn from `start` to `end`, before the output rate is set."""

    isExtract: NotRequired[bool]
    """Switches frame extraction on."""
    start: NotRequired[float]
    """Lowest rate kept, in frames a second."""
    end: NotRequired[float]
    """Highest rate kept, in frames a second."""


class VideoDeduplicationOptionsSpeed(TypedDict):
    """Another speed for picture and sound, pitch kept, drawn from `start` to `end`."""

    isSpeed: NotRequired[bool]
    """Switches the speed change on."""
    start: NotRequired[float]
    """Lowest speed multiplier."""
    end: NotRequired[float]
    """Highest speed multiplier."""


class VideoDeduplicationOptionsRotation(TypedDict):
    """Turn the picture by an angle drawn from `minAngle` to `maxAngle`, without empty corners."""

    isRotate: NotRequired[bool]
    """Switches rotation on."""
    direction: NotRequired[Literal["clockwise", "counterclockwise"]]
    """Which way it turns."""
    minAngle: NotRequired[float]
    """Smallest angle in degrees."""
    maxAngle: NotRequired[float]
    """Largest angle in degrees."""


class VideoDeduplicationOptionsZoom(TypedDict):
    """Enlarge about the centre by a factor drawn from `minScale` to `maxScale`, cropped to size."""

    isZoom: NotRequired[bool]
    """Switches zoom on."""
    minScale: NotRequired[float]
    """Smallest factor."""
    maxScale: NotRequired[float]
    """Largest factor."""


class VideoDeduplicationOptionsColourMixing(TypedDict):
    """Brightness, contrast, saturation and gamma, each drawn from its range."""

    isMixing: NotRequired[bool]
    """Switches colour adjustment on."""
    brightnessMin: NotRequired[float]
    """Lowest brightness; 0 is unchanged."""
    brightnessMax: NotRequired[float]
    """Highest brightness; 0 is unchanged."""
    contrastMin: NotRequired[float]
    """Lowest contrast; 1 is unchanged."""
    contrastMax: NotRequired[float]
    """Highest contrast; 1 is unchanged."""
    saturationMin: NotRequired[float]
    """Lowest saturation; 1 is unchanged."""
    saturationMax: NotRequired[float]
    """Highest saturation; 1 is unchanged."""
    gammaMin: NotRequired[float]
    """Lowest gamma; 1 is unchanged."""
    gammaMax: NotRequired[float]
    """Highest gamma; 1 is unchanged."""


class VideoDeduplicationOptionsHueMixing(TypedDict):
    """Hue, saturation and brightness moved by fixed amounts."""

    isMixing: NotRequired[bool]
    """Switches hue adjustment on."""
    h: NotRequired[float]
    """Hue offset in degrees."""
    s: NotRequired[float]
    """Saturation offset from neutral."""
    b: NotRequired[float]
    """Brightness added; 1 is a tenth of full scale."""


class VideoDeduplicationOptionsColorBalance(TypedDict):
    """Red, green and blue raised in shadows, midtones and highlights, by lightness."""

    isBalance: NotRequired[bool]
    """Switches colour balance on."""
    rs: NotRequired[float]
    """Red in the shadows, most in black."""
    gs: NotRequired[float]
    """Green in the shadows, most in black."""
    bs: NotRequired[float]
    """Blue in the shadows, most in black."""
    rm: NotRequired[float]
    """Red in the midtones, most in middle grey."""
    gm: NotRequired[float]
    """Green in the midtones, most in middle grey."""
    bm: NotRequired[float]
    """Blue in the midtones, most in middle grey."""
    rh: NotRequired[float]
    """Red in the highlights, up to white."""
    gh: NotRequired[float]
    """Green in the highlights, up to white."""
    bh: NotRequired[float]
    """Blue in the highlights, up to white."""


class VideoDeduplicationOptionsPIP(TypedDict):
    """The picture smaller, in the middle of a background."""

    isPIP: NotRequired[bool]
    """Switches picture-in-picture on."""
    padding: NotRequired[float]
    """The picture is scaled to 100 minus this many percent."""
    fillMode: NotRequired[int]
    """1: over `fillVideoPath`, or a flat colour without one; 2: over `fillVideoPath`, or the picture itself, blurred and darkened."""
    fillVideoPath: NotRequired[str]
    """URL of the video for the background; its sound is not used."""


class VideoDeduplicationOptionsPicMask(TypedDict):
    """Layers of pictures, scaled to cover and laid over the picture."""

    isMask: NotRequired[bool]
    """Switches the mask on."""
    picFiles: NotRequired[list[str]]
    """Mask files; each layer draws one. Needed when the mask is on."""
    layerCount: NotRequired[int]
    """Number of layers; 0 lays none."""
    trans: NotRequired[float]
    """Opacity of a layer in percent: 3 is barely visible, 100 covers."""


class VideoDeduplicationOptionsVideoMask(TypedDict):
    """Layers of videos, looped, scaled to cover and laid over the picture."""

    isMask: NotRequired[bool]
    """Switches the mask on."""
    videoFiles: NotRequired[list[str]]
    """Mask files; each layer draws one. Needed when the mask is on."""
    layerCount: NotRequired[int]
    """Number of layers; 0 lays none."""
    trans: NotRequired[float]
    """Opacity of a layer in percent: 3 is barely visible, 100 covers."""


class VideoDeduplicationOptionsEffect(TypedDict):
    """A special effect for a part of the video."""

    value: NotRequired[Literal["flash", "strobe", "light-leak", "lens-flare", "rainbow", "sparkle", "bokeh", "snow", "rain", "fog", "confetti", "dream", "lens-blur", "vignette", "spotlight", "cinema-bars", "zoom-pulse", "shake", "ripple", "mirror-tile", "pixelate", "film-grain", "old-film", "vhs", "glitch", "rgb-split", "neon-edges", "comic", "thermal", "duotone"]]
    """Name of an effect of the catalogue; without one nothing is applied."""
    trans: NotRequired[float]
    """Strength in percent."""
    duration: NotRequired[float]
    """Seconds the effect lasts; 0 applies none."""
    position: NotRequired[float]
    """Where it begins, in percent of the length."""


class VideoDeduplicationOptions(TypedDict):
    """Options; each has a default."""

    preset: NotRequired[Literal["draft", "standard", "high"]]
    """How much work goes into the picture: `draft` is the fastest, `high` the best to look at. Absent, the installation's, usually `standard`."""
    frameExtraction: NotRequired[VideoDeduplicationOptionsFrameExtraction]
    """Drop frames down to a rate drawn from `start` to `end`, before the output rate is set."""
    speed: NotRequired[VideoDeduplicationOptionsSpeed]
    """Another speed for picture and sound, pitch kept, drawn from `start` to `end`."""
    fps: NotRequired[Literal[25, 30, 50, 60]]
    """Frames a second of the output."""
    isMirror: NotRequired[bool]
    """Mirror the picture left to right."""
    rotation: NotRequired[VideoDeduplicationOptionsRotation]
    """Turn the picture by an angle drawn from `minAngle` to `maxAngle`, without empty corners."""
    zoom: NotRequired[VideoDeduplicationOptionsZoom]
    """Enlarge about the centre by a factor drawn from `minScale` to `maxScale`, cropped to size."""
    colourMixing: NotRequired[VideoDeduplicationOptionsColourMixing]
    """Brightness, contrast, saturation and gamma, each drawn from its range."""
    hueMixing: NotRequired[VideoDeduplicationOptionsHueMixing]
    """Hue, saturation and brightness moved by fixed amounts."""
    colorBalance: NotRequired[VideoDeduplicationOptionsColorBalance]
    """Red, green and blue raised in shadows, midtones and highlights, by lightness."""
    isFilter: NotRequired[bool]
    """Apply one colour look, drawn from the catalogue of looks."""
    PIP: NotRequired[VideoDeduplicationOptionsPIP]
    """The picture smaller, in the middle of a background."""
    picMask: NotRequired[VideoDeduplicationOptionsPicMask]
    """Layers of pictures, scaled to cover and laid over the picture."""
    videoMask: NotRequired[VideoDeduplicationOptionsVideoMask]
    """Layers of videos, looped, scaled to cover and laid over the picture."""
    effect: NotRequired[VideoDeduplicationOptionsEffect]
    """A special effect for a part of the video."""


VideoDeduplicationVideo = TypedDict(
    "VideoDeduplicationVideo",
    {
        "filename": str,
        "duration": float,
        "from": NotRequired[float],
        "to": NotRequired[float],
        "copies": NotRequired[int],
    },
)


class VideoDeduplicationParams(TypedDict):
    """Parameters of the task."""

    seed: NotRequired[int]
    """Seed of everything that is left to chance; drawn when absent."""
    options: NotRequired[VideoDeduplicationOptions]
    """Options; each has a default."""
    videoList: list[VideoDeduplicationVideo]
    """Videos to vary; each gives one output. An installation may allow another number."""


class VideoDeduplicationRequest(TypedDict):
    taskType: Literal["videoDeduplication"]
    """Which kind of task this is; the structure of `params` depends on it."""
    params: VideoDeduplicationParams
    """Parameters of the task."""
    callbackUrl: NotRequired[str]
    """Address that is called once when the task is in a final state."""
    clientTaskId: NotRequired[str]
    """Your own id of the job. The same body with the same id answers with the first task and costs nothing."""
    name: NotRequired[str]
    """What you call the task; `list` finds it by it. It changes nothing about the videos, nor whether a request is the same as an earlier one."""
    labels: NotRequired[list[str]]
    """Labels by which `list` finds the task; up to ten."""
    maxPoints: NotRequired[int]
    """The most that the task may cost. A submission whose estimate is higher is refused (40201); a task whose confirmed price is higher is rejected."""


class BaseVideoMixOptionsBackgroundMusic(TypedDict):
    """Music that loops to the picture's end."""

    url: NotRequired[str]
    """URL of a sound file, or of a video with sound; without one nothing plays."""
    fileName: NotRequired[str]
    """A name for you; it has no effect."""
    duration: NotRequired[float]
    """Use only this many seconds from the file's start; with 0 nothing is heard."""
    volume: NotRequired[int]
    """Percent of amplitude."""
    fadeIn: NotRequired[float]
    """Seconds of fade at the start of what is heard."""
    fadeOut: NotRequired[float]
    """Seconds of fade at the end of what is heard."""


class BaseVideoMixOptionsAudio(TypedDict):
    """Voice-over that plays once from the start."""

    url: NotRequired[str]
    """URL of a sound file, or of a video with sound; without one nothing plays."""
    fileName: NotRequired[str]
    """A name for you; it has no effect."""
    duration: NotRequired[float]
    """Use only this many seconds from the file's start; with 0 nothing is heard."""
    volume: NotRequired[int]
    """Percent of amplitude."""
    fadeIn: NotRequired[float]
    """Seconds of fade at the start of what is heard."""
    fadeOut: NotRequired[float]
    """Seconds of fade at the end of what is heard."""


class BaseVideoMixOptionsSubtitleStyleHighlight(TypedDict):
    """Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words."""

    color: NotRequired[str]
    """Colour of the word that is being spoken."""


class BaseVideoMixOptionsSubtitleStyle(TypedDict):
    """How the text looks."""

    fontSize: NotRequired[int]
    """Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Output pixels from the bottom edge to the text."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]]
    """Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """How strong the letters are."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle."""
    shadow: NotRequired[int]
    """How far a black shadow falls to the right and below, in hundredths of the em; 0 is none."""
    radius: NotRequired[int]
    """Radius of the box's corners, in hundredths of the em."""
    highlight: NotRequired[BaseVideoMixOptionsSubtitleStyleHighlight]
    """Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words."""


class BaseVideoMixOptionsSubtitle(TypedDict):
    """Subtitles, drawn into the picture."""

    url: NotRequired[str]
    """URL of an SRT or VTT file; without one none are shown."""
    fileName: NotRequired[str]
    """A name for you; it has no effect."""
    style: NotRequired[BaseVideoMixOptionsSubtitleStyle]
    """How the text looks."""


class BaseVideoMixOptionsIntroPool(TypedDict):
    """An intro."""

    url: str
    """URL of the clip."""


class BaseVideoMixOptionsOutroPool(TypedDict):
    """An outro."""

    url: str
    """URL of the clip."""


class BaseVideoMixOptionsTransition(TypedDict):
    """How clips go over into one another: they overlap, and the output is shorter by the overlaps."""

    names: list[Literal["fade", "fadeblack", "fadewhite", "fadegrays", "dissolve", "pixelize", "hblur", "slideleft", "slideright", "slideup", "slidedown", "wipeleft", "wiperight", "wipeup", "wipedown", "smoothleft", "smoothright", "smoothup", "smoothdown", "circleopen", "circleclose", "circlecrop", "rectcrop", "vertopen", "vertclose", "horzopen", "horzclose", "radial", "diagtl", "diagbr", "hlslice", "hrslice", "vuslice", "vdslice", "squeezeh", "squeezev"]]
    """Names of the catalogue; one is drawn for each change of clips, all before any comes again."""
    duration: NotRequired[float]
    """Seconds that two clips overlap; fewer where a clip is too short."""


class Place(TypedDict):
    """Where it stands: a corner, the middle of an edge or of the picture; or `{x, y}`, where its middle lies. Nothing of it is outside the picture."""

    x: float
    """From the left, in percent of the output's width."""
    y: float
    """From the top, in percent of the output's height."""


class BaseVideoMixOptionsOverlayStyleHighlight(TypedDict):
    """Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words."""

    color: NotRequired[str]
    """Colour of the word that is being spoken."""


class BaseVideoMixOptionsOverlayStyle(TypedDict):
    """How the text looks: as captions' style; `bottom`, `place` and `highlight` mean nothing here."""

    fontSize: NotRequired[int]
    """Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Output pixels from the bottom edge to the text."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]]
    """Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """How strong the letters are."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle."""
    shadow: NotRequired[int]
    """How far a black shadow falls to the right and below, in hundredths of the em; 0 is none."""
    radius: NotRequired[int]
    """Radius of the box's corners, in hundredths of the em."""
    highlight: NotRequired[BaseVideoMixOptionsOverlayStyleHighlight]
    """Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words."""


class BaseVideoMixOptionsOverlay(TypedDict):
    """A picture or a text."""

    type: Literal["image", "text"]
    """What it is."""
    url: NotRequired[str]
    """URL of the picture: PNG, JPEG or WebP, alpha included. Of one that moves the first frame is shown."""
    width: NotRequired[float]
    """Width of the picture, in percent of the output's; less where it would be higher than the output."""
    opacity: NotRequired[float]
    """How far the picture covers what lies below, times its own alpha."""
    text: NotRequired[str]
    """The text. Lines break where it has line breaks, and where they would be too wide."""
    texts: NotRequired[list[str]]
    """Several texts in place of `text`: one per output, dealt out so that all come before any comes again."""
    maxWidth: NotRequired[float]
    """Width that no line of the text goes beyond, in percent of the output's."""
    place: NotRequired[Literal["top-left", "top", "top-right", "left", "middle", "right", "bottom-left", "bottom", "bottom-right"] | Place]
    """Where it stands: a corner, the middle of an edge or of the picture; or `{x, y}`, where its middle lies. Nothing of it is outside the picture."""
    margin: NotRequired[float]
    """Distance from the edges that it stands at, in percent of the output's short side; `{x, y}` needs none."""
    start: NotRequired[float]
    """Second of the output from which on it is seen."""
    end: NotRequired[float]
    """Second up to which it is seen."""
    style: NotRequired[BaseVideoMixOptionsOverlayStyle]
    """How the text looks: as captions' style; `bottom`, `place` and `highlight` mean nothing here."""


class BaseVideoMixOptionsBackgroundMusicPool(TypedDict):
    """Music for some of the outputs."""

    url: str
    """URL of a sound file, or of a video with sound."""
    fileName: NotRequired[str]
    """A name for you; it has no effect."""
    duration: NotRequired[float]
    """Use only this many seconds from the file's start; with 0 nothing is heard."""
    volume: NotRequired[int]
    """Percent of amplitude."""
    fadeIn: NotRequired[float]
    """Seconds of fade at the start of what is heard."""
    fadeOut: NotRequired[float]
    """Seconds of fade at the end of what is heard."""


class BaseVideoMixOptionsVoicePoolAudio(TypedDict):
    """The voice."""

    url: str
    """URL of a sound file, or of a video with sound."""
    fileName: NotRequired[str]
    """A name for you; it has no effect."""
    duration: NotRequired[float]
    """Use only this many seconds from the file's start; with 0 nothing is heard."""
    volume: NotRequired[int]
    """Percent of amplitude."""
    fadeIn: NotRequired[float]
    """Seconds of fade at the start of what is heard."""
    fadeOut: NotRequired[float]
    """Seconds of fade at the end of what is heard."""


class BaseVideoMixOptionsVoicePoolSubtitleStyleHighlight(TypedDict):
    """Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words."""

    color: NotRequired[str]
    """Colour of the word that is being spoken."""


class BaseVideoMixOptionsVoicePoolSubtitleStyle(TypedDict):
    """How the text looks."""

    fontSize: NotRequired[int]
    """Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Output pixels from the bottom edge to the text."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]]
    """Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """How strong the letters are."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle."""
    shadow: NotRequired[int]
    """How far a black shadow falls to the right and below, in hundredths of the em; 0 is none."""
    radius: NotRequired[int]
    """Radius of the box's corners, in hundredths of the em."""
    highlight: NotRequired[BaseVideoMixOptionsVoicePoolSubtitleStyleHighlight]
    """Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words."""


class BaseVideoMixOptionsVoicePoolSubtitle(TypedDict):
    """Captions of this voice."""

    url: str
    """URL of an SRT or VTT file."""
    fileName: NotRequired[str]
    """A name for you; it has no effect."""
    style: NotRequired[BaseVideoMixOptionsVoicePoolSubtitleStyle]
    """How the text looks."""


class BaseVideoMixOptionsVoicePool(TypedDict):
    """A voice and its captions."""

    audio: BaseVideoMixOptionsVoicePoolAudio
    """The voice."""
    subtitle: NotRequired[BaseVideoMixOptionsVoicePoolSubtitle]
    """Captions of this voice."""


class BaseVideoMixOptions(TypedDict):
    """Options; each has a default."""

    preset: NotRequired[Literal["draft", "standard", "high"]]
    """How much work goes into the picture: `draft` is the fastest, `high` the best to look at. Absent, the installation's, usually `standard`."""
    resolution: NotRequired[Literal["720:1280", "1080:1920", "1280:720", "1920:1080", "1080:1080", "1080:1350", "720:720"]]
    """Width and height of the output."""
    resolutionMode: NotRequired[Literal["none", "crop", "stretch"]]
    """`none` fits the whole picture in, `crop` fills and crops, `stretch` stretches."""
    background: NotRequired[Literal["black", "blur"]]
    """Behind a picture that does not fill the frame or can be seen through: black, or a blurred copy of itself."""
    fps: NotRequired[Literal[25, 30, 50, 60]]
    """Frames a second of the output."""
    originalVolume: NotRequired[int]
    """Volume of the clips' own sound in percent."""
    ducking: NotRequired[bool]
    """Turn the music down while somebody speaks."""
    loudness: NotRequired[float]
    """Bring the mix to this loudness in LUFS (EBU R128)."""
    fadeOut: NotRequired[float]
    """Seconds over which the whole sound fades out at the end of the video."""
    backgroundMusic: NotRequired[BaseVideoMixOptionsBackgroundMusic]
    """Music that loops to the picture's end."""
    audio: NotRequired[BaseVideoMixOptionsAudio]
    """Voice-over that plays once from the start."""
    subtitle: NotRequired[BaseVideoMixOptionsSubtitle]
    """Subtitles, drawn into the picture."""
    imageMotion: NotRequired[Literal["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]]
    """How pictures that stand in place of clips move: nearer, away, to the left or to the right over the picture; `random` draws one for each picture."""
    introPool: NotRequired[list[BaseVideoMixOptionsIntroPool]]
    """Clips that stand before everything else: one per output, dealt out so that all come before any comes again."""
    outroPool: NotRequired[list[BaseVideoMixOptionsOutroPool]]
    """Clips that stand behind everything else: one per output, dealt out likewise."""
    transition: NotRequired[BaseVideoMixOptionsTransition]
    """How clips go over into one another: they overlap, and the output is shorter by the overlaps."""
    overlays: NotRequired[list[BaseVideoMixOptionsOverlay]]
    """Pictures and texts over the clips and under the captions: pictures in this order, the texts above them."""
    backgroundMusicPool: NotRequired[list[BaseVideoMixOptionsBackgroundMusicPool]]
    """Music in place of `backgroundMusic`: one per output, dealt out so that all come before any comes again."""
    voicePool: NotRequired[list[BaseVideoMixOptionsVoicePool]]
    """Voices with their captions in place of `audio` and `subtitle`: one per output, dealt out likewise."""


BaseVideoMixVideoVideo = TypedDict(
    "BaseVideoMixVideoVideo",
    {
        "url": str,
        "duration": NotRequired[float],
        "imageMotion": NotRequired[Literal["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]],
        "from": NotRequired[float],
        "to": NotRequired[float],
        "sceneName": NotRequired[str],
    },
)


class BaseVideoMixVideo(TypedDict):
    """One group."""

    videos: list[BaseVideoMixVideoVideo]
    """Clips of the group, in order."""
    totalDuration: NotRequired[float]
    """Cuts the output to this many seconds; a shorter one stays as it is."""


class BaseVideoMixParams(TypedDict):
    """Parameters of the task."""

    seed: NotRequired[int]
    """Seed of everything that is left to chance; drawn when absent."""
    options: NotRequired[BaseVideoMixOptions]
    """Options; each has a default."""
    videoList: list[BaseVideoMixVideo]
    """Groups of clips; each group gives one output."""
    isShortest: NotRequired[bool]
    """Cut every clip of a group to the group's shortest."""


class BaseVideoMixRequest(TypedDict):
    taskType: Literal["baseVideoMix"]
    """Which kind of task this is; the structure of `params` depends on it."""
    params: BaseVideoMixParams
    """Parameters of the task."""
    callbackUrl: NotRequired[str]
    """Address that is called once when the task is in a final state."""
    clientTaskId: NotRequired[str]
    """Your own id of the job. The same body with the same id answers with the first task and costs nothing."""
    name: NotRequired[str]
    """What you call the task; `list` finds it by it. It changes nothing about the videos, nor whether a request is the same as an earlier one."""
    labels: NotRequired[list[str]]
    """Labels by which `list` finds the task; up to ten."""
    maxPoints: NotRequired[int]
    """The most that the task may cost. A submission whose estimate is higher is refused (40201); a task whose confirmed price is higher is rejected."""


class ProVideoMixOptionsBackgroundMusic(TypedDict):
    """Music that loops to the picture's end."""

    url: NotRequired[str]
    """URL of a sound file, or of a video with sound; without one nothing plays."""
    fileName: NotRequired[str]
    """A name for you; it has no effect."""
    duration: NotRequired[float]
    """Use only this many seconds from the file's start; with 0 nothing is heard."""
    volume: NotRequired[int]
    """Percent of amplitude."""
    fadeIn: NotRequired[float]
    """Seconds of fade at the start of what is heard."""
    fadeOut: NotRequired[float]
    """Seconds of fade at the end of what is heard."""


class ProVideoMixOptionsAudio(TypedDict):
    """Voice-over that plays once from the start."""

    url: NotRequired[str]
    """URL of a sound file, or of a video with sound; without one nothing plays."""
    fileName: NotRequired[str]
    """A name for you; it has no effect."""
    duration: NotRequired[float]
    """Use only this many seconds from the file's start; with 0 nothing is heard."""
    volume: NotRequired[int]
    """Percent of amplitude."""
    fadeIn: NotRequired[float]
    """Seconds of fade at the start of what is heard."""
    fadeOut: NotRequired[float]
    """Seconds of fade at the end of what is heard."""


class ProVideoMixOptionsSubtitleStyleHighlight(TypedDict):
    """Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words."""

    color: NotRequired[str]
    """Colour of the word that is being spoken."""


class ProVideoMixOptionsSubtitleStyle(TypedDict):
    """How the text looks."""

    fontSize: NotRequired[int]
    """Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Output pixels from the bottom edge to the text."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]]
    """Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """How strong the letters are."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle."""
    shadow: NotRequired[int]
    """How far a black shadow falls to the right and below, in hundredths of the em; 0 is none."""
    radius: NotRequired[int]
    """Radius of the box's corners, in hundredths of the em."""
    highlight: NotRequired[ProVideoMixOptionsSubtitleStyleHighlight]
    """Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words."""


class ProVideoMixOptionsSubtitle(TypedDict):
    """Subtitles, drawn into the picture."""

    url: NotRequired[str]
    """URL of an SRT or VTT file; without one none are shown."""
    fileName: NotRequired[str]
    """A name for you; it has no effect."""
    style: NotRequired[ProVideoMixOptionsSubtitleStyle]
    """How the text looks."""


class ProVideoMixOptionsIntroPool(TypedDict):
    """An intro."""

    url: str
    """URL of the clip."""


class ProVideoMixOptionsOutroPool(TypedDict):
    """An outro."""

    url: str
    """URL of the clip."""


class ProVideoMixOptionsTransition(TypedDict):
    """How clips go over into one another: they overlap, and the output is shorter by the overlaps."""

    names: list[Literal["fade", "fadeblack", "fadewhite", "fadegrays", "dissolve", "pixelize", "hblur", "slideleft", "slideright", "slideup", "slidedown", "wipeleft", "wiperight", "wipeup", "wipedown", "smoothleft", "smoothright", "smoothup", "smoothdown", "circleopen", "circleclose", "circlecrop", "rectcrop", "vertopen", "vertclose", "horzopen", "horzclose", "radial", "diagtl", "diagbr", "hlslice", "hrslice", "vuslice", "vdslice", "squeezeh", "squeezev"]]
    """Names of the catalogue; one is drawn for each change of clips, all before any comes again."""
    duration: NotRequired[float]
    """Seconds that two clips overlap; fewer where a clip is too short."""


class ProVideoMixOptionsOverlayStyleHighlight(TypedDict):
    """Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words."""

    color: NotRequired[str]
    """Colour of the word that is being spoken."""


class ProVideoMixOptionsOverlayStyle(TypedDict):
    """How the text looks: as captions' style; `bottom`, `place` and `highlight` mean nothing here."""

    fontSize: NotRequired[int]
    """Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Output pixels from the bottom edge to the text."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]]
    """Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """How strong the letters are."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle."""
    shadow: NotRequired[int]
    """How far a black shadow falls to the right and below, in hundredths of the em; 0 is none."""
    radius: NotRequired[int]
    """Radius of the box's corners, in hundredths of the em."""
    highlight: NotRequired[ProVideoMixOptionsOverlayStyleHighlight]
    """Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words."""


class ProVideoMixOptionsOverlay(TypedDict):
    """A picture or a text."""

    type: Literal["image", "text"]
    """What it is."""
    url: NotRequired[str]
    """URL of the picture: PNG, JPEG or WebP, alpha included. Of one that moves the first frame is shown."""
    width: NotRequired[float]
    """Width of the picture, in percent of the output's; less where it would be higher than the output."""
    opacity: NotRequired[float]
    """How far the picture covers what lies below, times its own alpha."""
    text: NotRequired[str]
    """The text. Lines break where it has line breaks, and where they would be too wide."""
    texts: NotRequired[list[str]]
    """Several texts in place of `text`: one per output, dealt out so that all come before any comes again."""
    maxWidth: NotRequired[float]
    """Width that no line of the text goes beyond, in percent of the output's."""
    place: NotRequired[Literal["top-left", "top", "top-right", "left", "middle", "right", "bottom-left", "bottom", "bottom-right"] | Place]
    """Where it stands: a corner, the middle of an edge or of the picture; or `{x, y}`, where its middle lies. Nothing of it is outside the picture."""
    margin: NotRequired[float]
    """Distance from the edges that it stands at, in percent of the output's short side; `{x, y}` needs none."""
    start: NotRequired[float]
    """Second of the output from which on it is seen."""
    end: NotRequired[float]
    """Second up to which it is seen."""
    style: NotRequired[ProVideoMixOptionsOverlayStyle]
    """How the text looks: as captions' style; `bottom`, `place` and `highlight` mean nothing here."""


class ProVideoMixOptionsBackgroundMusicPool(TypedDict):
    """Music for some of the outputs."""

    url: str
    """URL of a sound file, or of a video with sound."""
    fileName: NotRequired[str]
    """A name for you; it has no effect."""
    duration: NotRequired[float]
    """Use only this many seconds from the file's start; with 0 nothing is heard."""
    volume: NotRequired[int]
    """Percent of amplitude."""
    fadeIn: NotRequired[float]
    """Seconds of fade at the start of what is heard."""
    fadeOut: NotRequired[float]
    """Seconds of fade at the end of what is heard."""


class ProVideoMixOptionsVoicePoolAudio(TypedDict):
    """The voice."""

    url: str
    """URL of a sound file, or of a video with sound."""
    fileName: NotRequired[str]
    """A name for you; it has no effect."""
    duration: NotRequired[float]
    """Use only this many seconds from the file's start; with 0 nothing is heard."""
    volume: NotRequired[int]
    """Percent of amplitude."""
    fadeIn: NotRequired[float]
    """Seconds of fade at the start of what is heard."""
    fadeOut: NotRequired[float]
    """Seconds of fade at the end of what is heard."""


class ProVideoMixOptionsVoicePoolSubtitleStyleHighlight(TypedDict):
    """Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words."""

    color: NotRequired[str]
    """Colour of the word that is being spoken."""


class ProVideoMixOptionsVoicePoolSubtitleStyle(TypedDict):
    """How the text looks."""

    fontSize: NotRequired[int]
    """Size of the text; times `magnification` it is the em height in pixels of a picture whose short side is 720, and grows with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Output pixels from the bottom edge to the text."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]]
    """Name of a font from the catalogue of fonts; other fonts step in for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """How strong the letters are."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Where the text stands: `bottom` and `top`, `bottom` pixels from that edge; `lower-third` around the line a third above the bottom, `middle` around the middle."""
    shadow: NotRequired[int]
    """How far a black shadow falls to the right and below, in hundredths of the em; 0 is none."""
    radius: NotRequired[int]
    """Radius of the box's corners, in hundredths of the em."""
    highlight: NotRequired[ProVideoMixOptionsVoicePoolSubtitleStyleHighlight]
    """Colours each word while it is spoken, by the times inside a VTT file's cues, else spread over the cue by the length of its words."""


class ProVideoMixOptionsVoicePoolSubtitle(TypedDict):
    """Captions of this voice."""

    url: str
    """URL of an SRT or VTT file."""
    fileName: NotRequired[str]
    """A name for you; it has no effect."""
    style: NotRequired[ProVideoMixOptionsVoicePoolSubtitleStyle]
    """How the text looks."""


class ProVideoMixOptionsVoicePool(TypedDict):
    """A voice and its captions."""

    audio: ProVideoMixOptionsVoicePoolAudio
    """The voice."""
    subtitle: NotRequired[ProVideoMixOptionsVoicePoolSubtitle]
    """Captions of this voice."""


class ProVideoMixOptions(TypedDict):
    """Options; each has a default."""

    preset: NotRequired[Literal["draft", "standard", "high"]]
    """How much work goes into the picture: `draft` is the fastest, `high` the best to look at. Absent, the installation's, usually `standard`."""
    clipStart: NotRequired[Literal["begin", "random", "shots"]]
    """Where in their files clips begin: `begin`, each with its first picture; `random`, drawn so that outputs share as little footage as can be; `shots`, drawn in the same way of the cuts that are found in the files, black, still and blurred stretches left out while there are others."""
    isShortest: NotRequired[bool]
    """Cut every scene of an output to its shortest."""
    resolution: NotRequired[Literal["720:1280", "1080:1920", "1280:720", "1920:1080", "1080:1080", "1080:1350", "720:720"]]
    """Width and height of the output."""
    resolutionMode: NotRequired[Literal["none", "crop", "stretch"]]
    """`none` fits the whole picture in, `crop` fills and crops, `stretch` stretches."""
    background: NotRequired[Literal["black", "blur"]]
    """Behind a picture that does not fill the frame or can be seen through: black, or a blurred copy of itself."""
    fps: NotRequired[Literal[25, 30, 50, 60]]
    """Frames a second of the output."""
    originalVolume: NotRequired[int]
    """Volume of the clips' own sound in percent."""
    ducking: NotRequired[bool]
    """Turn the music down while somebody speaks."""
    loudness: NotRequired[float]
    """Bring the mix to this loudness in LUFS (EBU R128)."""
    fadeOut: NotRequired[float]
    """Seconds over which the whole sound fades out at the end of the video."""
    backgroundMusic: NotRequired[ProVideoMixOptionsBackgroundMusic]
    """Music that loops to the picture's end."""
    audio: NotRequired[ProVideoMixOptionsAudio]
    """Voice-over that plays once from the start."""
    subtitle: NotRequired[ProVideoMixOptionsSubtitle]
    """Subtitles, drawn into the picture."""
    imageMotion: NotRequired[Literal["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]]
    """How pictures that stand in place of clips move: nearer, away, to the left or to the right over the picture; `random` draws one for each picture."""
    introPool: NotRequired[list[ProVideoMixOptionsIntroPool]]
    """Clips that stand before everything else: one per output, dealt out so that all come before any comes again."""
    outroPool: NotRequired[list[ProVideoMixOptionsOutroPool]]
    """Clips that stand behind everything else: one per output, dealt out likewise."""
    transition: NotRequired[ProVideoMixOptionsTransition]
    """How clips go over into one another: they overlap, and the output is shorter by the overlaps."""
    overlays: NotRequired[list[ProVideoMixOptionsOverlay]]
    """Pictures and texts over the clips and under the captions: pictures in this order, the texts above them."""
    backgroundMusicPool: NotRequired[list[ProVideoMixOptionsBackgroundMusicPool]]
    """Music in place of `backgroundMusic`: one per output, dealt out so that all come before any comes again."""
    voicePool: NotRequired[list[ProVideoMixOptionsVoicePool]]
    """Voices with their captions in place of `audio` and `subtitle`: one per output, dealt out likewise."""


ProVideoMixSceneResource = TypedDict(
    "ProVideoMixSceneResource",
    {
        "key": NotRequired[str],
        "url": str,
        "duration": NotRequired[float],
        "imageMotion": NotRequired[Literal["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]],
        "from": NotRequired[float],
        "to": NotRequired[float],
    },
)


class ProVideoMixSceneAudioResource(TypedDict):
    """One sound."""

    url: NotRequired[str]
    """URL of a sound file, or of a video with sound; without one the entry is left out with a warning."""
    duration: NotRequired[float]
    """Use only this many seconds from the file's start; with 0 nothing is heard."""
    startTime: NotRequired[float]
    """`split`: seconds after the scene's start; `merge`: the gap before this sound."""


class ProVideoMixScene(TypedDict):
    """One scene."""

    sceneKey: str
    """Unique key of the scene."""
    sceneName: str
    """Name of the scene."""
    duration: float
    """Length of the scene in seconds. A longer clip is cut, one a little short holds its last picture, a shorter one loops."""
    clipStart: NotRequired[Literal["begin", "random", "shots"]]
    """Where in their files the clips of this scene begin."""
    resources: list[ProVideoMixSceneResource]
    """Clips to choose from: one per output."""
    audioResources: NotRequired[list[ProVideoMixSceneAudioResource]]
    """Sounds of the scene; where there are several, one is drawn per output."""


class ProVideoMixParams(TypedDict):
    """Parameters of the task."""

    seed: NotRequired[int]
    """Seed of everything that is left to chance; drawn when absent."""
    options: NotRequired[ProVideoMixOptions]
    """Options; each has a default."""
    scenes: list[ProVideoMixScene]
    """Scenes in order; together they last as long as an output may at most."""
    audioMode: Literal["merge", "split"]
    """`split`: each scene's sound plays within its scene; `merge`: the scenes' sounds are joined into one track from the start."""
    generateCount: NotRequired[int]
    """Number of different videos to make."""
    outputCount: NotRequired[int]
    """Like `generateCount`, for more videos; one of the two is needed. An installation may allow fewer."""
    combinations: NotRequired[list[list[int]]]
    """Combinations to use first: rows of one index into `resources` for each scene. The rest is drawn."""
    starts: NotRequired[list[list[float]]]
    """Where the clips of `combinations` begin: a row for each of its rows, as `recipe.starts` tells."""


class ProVideoMixRequest(TypedDict):
    taskType: Literal["proVideoMix"]
    """Which kind of task this is; the structure of `params` depends on it."""
    params: ProVideoMixParams
    """Parameters of the task."""
    callbackUrl: NotRequired[str]
    """Address that is called once when the task is in a final state."""
    clientTaskId: NotRequired[str]
    """Your own id of the job. The same body with the same id answers with the first task and costs nothing."""
    name: NotRequired[str]
    """What you call the task; `list` finds it by it. It changes nothing about the videos, nor whether a request is the same as an earlier one."""
    labels: NotRequired[list[str]]
    """Labels by which `list` finds the task; up to ten."""
    maxPoints: NotRequired[int]
    """The most that the task may cost. A submission whose estimate is higher is refused (40201); a task whose confirmed price is higher is rejected."""


RowFilterName: TypeAlias = Literal["waiting", "made", "refused", "cancelled", "failed"]
"""Which rows are wanted: those in a state, or those that failed, refused ones among them."""


FoldName: TypeAlias = Literal["fold"]
"""How batches are listed among tasks."""


class FieldError(TypedDict):
    """One field that cannot be accepted."""

    path: str
    """JSON Pointer into the body; `/query/…` for a parameter."""
    message: str
    got: Any
    """Value that was sent, shortened when long."""
    allowed: str | None
    """Allowed values, briefly."""
    row: NotRequired[int]
    """Of an error in the table of a batch: its row, from 1."""
    column: NotRequired[str | None]
    """Of an error in the table of a batch: its column; null if the error is not in one."""


OptionString: TypeAlias = str | None


class BatchCallback(TypedDict):
    """The callback of a batch and its delivery so far."""

    url: NotRequired[str | None]
    """The `callbackUrl`."""
    status: CallbackStatus
    """
    `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: to be sent at `nextAttemptTime`;
    `sending`; `delivered`; `failed`: no attempt will follow.
    """
    eventId: NotRequired[str | None]
    """The `webhook-id` of every attempt; null before the end."""
    createTime: NotRequired[str | None]
    """When the task or batch ended."""
    nextAttemptTime: NotRequired[str | None]
    """When the next attempt is due; null where none is."""
    attempts: list[Attempt]
    """The oldest first."""
    batchNo: str
    """Number of the batch."""
    type: NotRequired[BatchEventType | None]


class BatchEstimate(TypedDict):
    """Price and size of a batch."""

    totalRows: int
    totalItems: int
    """Number of output videos of all rows."""
    estimatedDotCount: int
    """Points that would be held."""
    warnings: list[Remark]
    """Paths begin with `/rows/…`, counted from 0."""


class BatchRow(TypedDict):
    """A row of a batch."""

    row: int
    """From 1."""
    values: dict[str, Any]
    """Its values, as they came."""
    state: RowStateName
    taskNo: NotRequired[str | None]
    """The task that it became."""
    taskStatus: NotRequired[int | None]
    """State of that task, while it is kept."""
    completedItems: int
    """Videos of that task: delivered ones, and those that failed."""
    failedItems: int
    taskError: NotRequired[str | None]
    """Summary of the failures in that task."""
    error: NotRequired[str | None]
    """Why it never became a task."""


class Batch(TypedDict):
    """State of a batch."""

    batchNo: str
    clientBatchId: str
    name: NotRequired[str | None]
    template: NotRequired[TemplateRef | None]
    status: int
    """As for tasks: 2 executing, 3 completed (at least one video), 4 failed (none), 5 cancelled."""
    statusName: StateName
    """The state in words."""
    paused: bool
    """Whether no further row becomes a task for now."""
    progressPercent: int
    """100 only when it has ended."""
    etaSeconds: NotRequired[int | None]
    """Seconds left, by its own pace so far; null where that is not known."""
    totalRows: int
    waitingRows: int
    """Rows that are no tasks yet."""
    madeRows: int
    """Rows that are tasks."""
    refusedRows: int
    """Rows that never became tasks: for want of points, or because the batch was cancelled."""
    totalItems: int
    completedItems: int
    failedItems: int
    estimatedDotCount: int
    """Points held when it was submitted."""
    consumedDotCount: int
    """Points charged so far."""
    createTime: str
    finishTime: NotRequired[str | None]
    downloadUrl: NotRequired[str | None]
    """All videos as one zip, by a signed link that needs no key; null while there is none, left out in lists."""
    warnings: list[Remark]


class CallbackTestRequest(TypedDict):
    """The address to be tested, and the event to pretend."""

    url: str
    """Where the sample is sent; checked like a `callbackUrl`."""
    type: NotRequired[EventType | None]


class CallbackTest(TypedDict):
    """How the receiver answered the sample."""

    eventId: str
    """The `webhook-id` it was sent with."""
    delivered: bool
    """Whether a real callback would count as delivered."""
    attempt: Attempt
    """The attempt as the log would show it."""
    warnings: list[Remark]


class Callback(TypedDict):
    """The callback of a task and its delivery so far."""

    url: NotRequired[str | None]
    """The `callbackUrl`."""
    status: CallbackStatus
    """
    `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: to be sent at `nextAttemptTime`;
    `sending`; `delivered`; `failed`: no attempt will follow.
    """
    eventId: NotRequired[str | None]
    """The `webhook-id` of every attempt; null before the end."""
    createTime: NotRequired[str | None]
    """When the task or batch ended."""
    nextAttemptTime: NotRequired[str | None]
    """When the next attempt is due; null where none is."""
    attempts: list[Attempt]
    """The oldest first."""
    taskNo: str
    """Task number."""
    type: NotRequired[EventType | None]


class Catalogue(TypedDict):
    """A catalogue, whole."""

    list: list[CatalogueEntry]
    total: int


class Estimate(TypedDict):
    """Price and size of a submission."""

    estimatedDotCount: int
    """Points that would be held."""
    totalItems: int
    """Number of output videos."""
    distinctCombinations: NotRequired[int | None]
    """proVideoMix: distinct combinations of the scenes' resources, at most 2^53−1; else null."""
    uniqueSegments: int
    """Pieces of picture to be encoded; outputs that share a clip share its piece."""
    outputSeconds: float
    """Seconds of all outputs together."""
    mostSimilar: NotRequired[DiversityPair | None]
    warnings: list[Remark]


class FontCatalogue(TypedDict):
    """The catalogue of fonts, whole."""

    list: list[FontEntry]
    total: int


class Item(TypedDict):
    """One output video. Whatever is about the finished file is null until there is one."""

    url: NotRequired[str | None]
    """Signed link to the file; a fresh one at each call."""
    coverUrl: NotRequired[str | None]
    """Signed link to a cover picture (JPEG)."""
    expiresAt: NotRequired[str | None]
    """When the links stop working."""
    fileExpiresAt: NotRequired[str | None]
    """When the file is removed."""
    duration: NotRequired[float | None]
    """Seconds."""
    width: NotRequired[int | None]
    """Pixels."""
    height: NotRequired[int | None]
    """Pixels."""
    fps: NotRequired[int | None]
    """Frames a second."""
    sizeBytes: NotRequired[int | None]
    """Size of the file."""
    sha256: NotRequired[str | None]
    """Of the file, lower-case hexadecimal."""
    videoCodec: NotRequired[str | None]
    """`h264`."""
    audioCodec: NotRequired[str | None]
    """`aac`, or null for an output without sound."""
    itemNo: int
    """From 1, in the order of the request."""
    status: int
    """As for tasks."""
    statusName: StateName
    """The state in words."""
    progressPercent: int
    """As for tasks."""
    seed: int
    """Makes this item again."""
    recipe: NotRequired[dict[str, Any] | None]
    """Every value that chance chose; null until the inputs are known."""
    quality: NotRequired[Quality | None]
    warnings: list[Remark]
    """Remarks on this output."""
    error: NotRequired[ItemError | None]


class Media(TypedDict):
    """Streams found in an uploaded file."""

    format: str
    video: NotRequired[MediaVideo | None]
    audio: NotRequired[MediaAudio | None]


class Output(TypedDict):
    """A delivered output, and the name of its task."""

    url: NotRequired[str | None]
    """Signed link to the file; a fresh one at each call."""
    coverUrl: NotRequired[str | None]
    """Signed link to a cover picture (JPEG)."""
    expiresAt: NotRequired[str | None]
    """When the links stop working."""
    fileExpiresAt: NotRequired[str | None]
    """When the file is removed."""
    duration: NotRequired[float | None]
    """Seconds."""
    width: NotRequired[int | None]
    """Pixels."""
    height: NotRequired[int | None]
    """Pixels."""
    fps: NotRequired[int | None]
    """Frames a second."""
    sizeBytes: NotRequired[int | None]
    """Size of the file."""
    sha256: NotRequired[str | None]
    """Of the file, lower-case hexadecimal."""
    videoCodec: NotRequired[str | None]
    """`h264`."""
    audioCodec: NotRequired[str | None]
    """`aac`, or null for an output without sound."""
    taskNo: str
    itemNo: int
    """From 1, in the order of the request."""
    taskType: TaskTypeName
    clientTaskId: NotRequired[str | None]
    """Your own id of the task."""
    name: NotRequired[str | None]
    """Of the task."""
    labels: list[str]
    """Of the task."""
    seed: int
    """Makes this output again."""


class Presign(TypedDict):
    """Where to send a file."""

    uploadId: str
    """Names the upload when it is confirmed."""
    method: str
    """`PUT`"""
    url: NotRequired[str | None]
    """Takes the whole file as its body; null where it is sent in parts."""
    sizeBytes: int
    """The exact number of bytes that the link takes."""
    parts: list[Part]
    """The parts in order; empty where the file is sent whole."""
    expiresAt: str
    """When the links stop working."""
    warnings: list[Remark]


class Probe(TypedDict):
    """A file and the streams found in it."""

    url: str
    media: Media


class Queue(TypedDict):
    """Waiting and running work, and waiting times."""

    paused: bool
    """No new work starts."""
    pausedSince: NotRequired[str | None]
    pauseReason: NotRequired[str | None]
    """The reason that users see whose tasks wait."""
    oldestAgeSeconds: NotRequired[int | None]
    """How long the oldest ready work waits; null when none does."""
    depth: list[QueueDepth]
    users: list[UserLoad]
    """Users with work that is ready or running."""
    running: list[Running]
    """The longest running first; at most 200."""


class SavedTemplate(TypedDict):
    """A template that was kept."""

    templateNo: str
    """`TP` and 26 characters."""
    name: str
    version: int
    """From 1; each change makes the next."""
    createTime: str
    updateTime: str
    warnings: list[Remark]


class Share(TypedDict):
    """A page that shows outputs of a task."""

    shareId: int
    taskNo: str
    url: NotRequired[str | None]
    """The page; null once it has ended."""
    items: NotRequired[list[int] | None]
    """Numbers of the items that it shows; null for all."""
    tasks: NotRequired[list[SharedTask] | None]
    """What it shows of each task, where it shows several; `taskNo` and `items` are then those of the task that ended last."""
    expiresAt: NotRequired[str | None]
    """When it ends; null where it ends with the files."""
    createTime: str
    revoked: bool


class Submit(TypedDict):
    """Response to a submission. `duplicate` is only present when the task existed before."""

    taskNo: str
    """Task number: `VP` and 26 characters."""
    taskId: int
    """Task id."""
    estimatedDotCount: int
    """Points held for the task."""
    totalItems: int
    """Number of output videos."""
    duplicate: NotRequired[bool]
    """True when this `clientTaskId` was submitted before; else left out."""
    warnings: NotRequired[list[Remark]]


class SubmittedBatch(TypedDict):
    """Response to a batch. `duplicate` is only present when the batch existed before."""

    batchNo: str
    """`BP` and 26 characters."""
    estimatedDotCount: int
    """Points held for the batch."""
    totalRows: int
    refusedRows: int
    """Rows that will never be made, for want of points."""
    totalItems: int
    """Number of output videos of all rows."""
    duplicate: NotRequired[bool]
    """True when this `clientBatchId` was submitted before; else left out."""
    warnings: NotRequired[list[Remark]]
    """Paths begin with `/rows/…`, counted from 0."""


TaskRequest: TypeAlias = VideoDeduplicationRequest | BaseVideoMixRequest | ProVideoMixRequest
"""A request of any kind, told apart by `taskType`."""


class Task(TypedDict):
    """State of a task; `items` is left out in lists."""

    taskNo: str
    """Task number."""
    taskType: TaskTypeName
    """Kind of task."""
    status: int
    """0 pending submission, 1 queued, 2 executing, 3 completed, 4 failed, 5 cancelled, 6 rejected."""
    statusName: StateName
    """The state in words."""
    progressPercent: int
    """Work done over work planned; never falls; 100 only when completed."""
    taskId: int
    """Task id."""
    clientTaskId: NotRequired[str | None]
    """Your own id of the job."""
    name: NotRequired[str | None]
    """As it was submitted, or named since."""
    labels: list[str]
    """As they were submitted, or changed since."""
    template: NotRequired[TemplateRef | None]
    totalItems: int
    """Number of output videos."""
    completedItems: int
    """Delivered ones."""
    failedItems: int
    """Those that ended with an error."""
    estimatedDotCount: int
    """The confirmed price once it is known."""
    price: NotRequired[int | None]
    """The price found from the files, also of a task that was rejected for it; null until they were probed."""
    consumedDotCount: int
    """Points charged so far."""
    queuePosition: NotRequired[int | None]
    """Place among the tasks that have not started; 1 is next."""
    etaSeconds: NotRequired[int | None]
    """
    Seconds left: of a queued task by what is before it and how fast work went of late, of an executing one
    more and more by its own pace.
    """
    createTime: str
    """RFC 3339, UTC."""
    startTime: NotRequired[str | None]
    """When work began."""
    finishTime: NotRequired[str | None]
    """When the task ended."""
    errorMsg: NotRequired[str | None]
    """Summary of the failures."""
    warnings: list[Remark]
    """
    Things that have no effect, wrong declared lengths; that the operator has stopped the queue, while the task waits
    for it.
    """
    paused: NotRequired[Pause | None]
    diversity: NotRequired[Diversity | None]
    coverUrl: NotRequired[str | None]
    """
    Signed link to a picture of the first output that there is a file of; null while there is none, left out in live
    events.
    """
    downloadUrl: NotRequired[str | None]
    """
    All files as one zip, by a signed link that is good for as long as those of the items; null while there
    is none, left out in lists.
    """
    items: NotRequired[list[Item] | None]
    """The output videos, in order; left out in lists."""


class Upload(TypedDict):
    """`media` is null for a file that is not media, such as a subtitle."""

    url: str
    """`upload://…`"""
    sizeBytes: int
    sha256: str
    """Lower-case hexadecimal."""
    media: NotRequired[Media | None]


Usage = TypedDict(
    "Usage",
    {
        "from": str,
        "to": str,
        "list": list[UserUsage],
        "sum": UsageSum,
        "total": int,
        "pageNo": int,
        "pageSize": int,
    },
)


class Variable(TypedDict):
    """A variable of a template."""

    name: str
    """Letters and digits of any script, `_`, `-`, `.`, and spaces between them."""
    type: VariableTypeName
    default: NotRequired[VariableValue | None]
    label: NotRequired[str | None]
    """Label of the variable in forms."""
    maxLength: NotRequired[int | None]
    """Of a text."""
    minimum: NotRequired[float | None]
    """Of a number."""
    maximum: NotRequired[float | None]
    """Of a number."""
    choices: NotRequired[list[VariableValue] | None]
    """Of a choice."""


class PageBatchRow(TypedDict):
    """A page of a list, newest first."""

    list: list[BatchRow]
    total: int
    pageNo: int
    pageSize: int


class PageBatch(TypedDict):
    """A page of a list, newest first."""

    list: list[Batch]
    total: int
    pageNo: int
    pageSize: int


class PageOutput(TypedDict):
    """A page of a list, newest first."""

    list: list[Output]
    total: int
    pageNo: int
    pageSize: int


class TaskCallbackEvent(TypedDict):
    """A task has ended."""

    type: EventType
    timestamp: str
    """When the task ended."""
    test: NotRequired[bool]
    """`true` in a message that `testCallback` sent; otherwise absent."""
    data: Task


class BatchCallbackEvent(TypedDict):
    """A batch has ended."""

    type: BatchEventType
    timestamp: str
    """When the batch ended."""
    test: NotRequired[bool]
    """`true` in a message that `testCallback` sent; otherwise absent."""
    data: Batch


class ErrorData(TypedDict):
    """Details of an error, by its code."""

    errors: NotRequired[list[FieldError]]
    """40001: every field that cannot be accepted."""
    total: NotRequired[int]
    """40001 of a batch: number of all errors, of which `errors` may list only the first."""
    needed: NotRequired[int]
    """40200: points that are needed."""
    available: NotRequired[int]
    """40200: points that can be spent."""
    price: NotRequired[int]
    """40201: the estimate."""
    maxPoints: NotRequired[int]
    """40201: the limit of the request."""
    row: NotRequired[int]
    """40201: the row of a batch whose limit is exceeded."""
    scope: NotRequired[str]
    """40300: the scope that the key lacks."""
    reason: NotRequired[str]
    """40301: why the user is switched off."""
    taskNo: NotRequired[str]
    """40900, 40901, 40903, 41000: the task; 40903 of a batch: its number."""
    batchNo: NotRequired[str]
    """40900, 40907: the batch."""
    status: NotRequired[int]
    """40901, 40907: state of the task or batch."""
    statusName: NotRequired[str]
    """40901, 40907: the state in words."""
    storedBytes: NotRequired[int]
    """40902: bytes that are stored."""
    neededBy: NotRequired[str]
    """40904: number of the task, template or batch that needs the file."""
    version: NotRequired[int]
    """40905: newest version of the template."""
    seconds: NotRequired[int]
    """42900, 42903: seconds to wait."""
    openTasks: NotRequired[int]
    """42901: tasks that have not ended."""
    openStreams: NotRequired[int]
    """42902: streams that are open."""
    openBatches: NotRequired[int]
    """42904: batches that have not ended."""
    givenUp: NotRequired[int]
    """42905: outputs that were cancelled or rejected within an hour."""
    limit: NotRequired[int]
    """40902, 40906, 40908, 42901, 42902, 42904, 42905: the limit."""


VecShare: TypeAlias = list[Share]


class BatchEvent(TypedDict):
    """An event of a batch."""

    event: str
    """`state` or `progress`."""
    id: str
    """Stands for all events up to this one; a client that connects again sends it as `Last-Event-ID`."""
    data: Batch


class LibraryFile(TypedDict):
    """A file of your library. `media` is null for a file that is not media, such as a subtitle."""

    url: str
    """`upload://…`; urls of earlier uploads of the same file stay good."""
    name: NotRequired[str | None]
    kind: NotRequired[MediaKindName | None]
    sizeBytes: int
    sha256: str
    """Lower-case hexadecimal."""
    duration: NotRequired[float | None]
    """Seconds; null for pictures and what is not media."""
    media: NotRequired[Media | None]
    fileUrl: str
    """Signed link to the file itself, which needs no key."""
    expiresAt: str
    """When that link stops working."""
    thumbnail: NotRequired[str | None]
    """Path of a thumbnail of the file, which needs your key; null for audio and other files without video."""
    createTime: str
    """When it was uploaded."""
    usedTime: NotRequired[str | None]
    """When a task named it last."""


class NewBatch(TypedDict):
    """A batch as it is sent. Exactly one of `template` and `request`, and of `rows` and `csvUrl`."""

    clientBatchId: str
    """Your own id of the batch. The same batch with the same id answers with the first and costs nothing."""
    name: NotRequired[str | None]
    template: NotRequired[str | None]
    """Number of a template of yours."""
    version: NotRequired[int | None]
    """Of the template; the newest when absent."""
    request: NotRequired[dict[str, Any] | None]
    """A request with variables, in place of a template."""
    variables: NotRequired[list[Variable] | None]
    """Of `request`."""
    rows: NotRequired[list[dict[str, Any]] | None]
    """Values of the variables, a row for each task."""
    csvUrl: NotRequired[str | None]
    """An upload of yours with the rows: CSV whose first line names the variables."""
    partial: NotRequired[bool | None]
    """Whether to take as many rows, from the first on, as there are points for; else all or none are taken."""
    maxPoints: NotRequired[int | None]
    """
    The most that all rows together may cost. A batch whose estimate is higher is refused (40201); a row whose confirmed
    price would take the batch above it is rejected.
    """
    callbackUrl: NotRequired[str | None]
    """Called once when the batch has ended; tasks have callbacks of their own, as the request says."""


class NewTemplate(TypedDict):
    """A template as it is sent."""

    name: str
    request: dict[str, Any]
    """
    A request of any kind. `{{name}}` in a string is replaced by that variable's value; a string that is nothing but
    a variable takes the value's type; `\\{{` stands for the braces themselves.
    """
    variables: NotRequired[list[Variable] | None]
    """Declarations of all variables in its strings."""
    version: NotRequired[int | None]
    """When you replace a template: the version that you know. A newer one is not overwritten."""


class PageTask(TypedDict):
    """A page of tasks, newest first; with `batches=fold` also of batches."""

    list: list[Task]
    batches: NotRequired[list[Batch] | None]
    """
    The batches of this page, newest first, if they were asked for. Tasks and batches together fill the page, in the
    order of `createTime`.
    """
    total: int
    """Of tasks, and of batches where these are listed."""
    pageNo: int
    pageSize: int


Submission: TypeAlias = TaskRequest | TemplateUse
"""A request, or a template of yours with values."""


class Template(TypedDict):
    """A template."""

    templateNo: str
    """`TP` and 26 characters."""
    name: str
    version: int
    """From 1; each change makes the next."""
    createTime: str
    updateTime: str
    request: dict[str, Any]
    """The request with its variables."""
    variables: list[Variable]


class PageLibraryFile(TypedDict):
    """A page of a list, newest first."""

    list: list[LibraryFile]
    total: int
    pageNo: int
    pageSize: int


class ErrorAnswer(TypedDict):
    """An error."""

    code: Literal[40000, 40001, 40100, 40101, 40200, 40201, 40300, 40301, 40400, 40500, 40900, 40901, 40902, 40903, 40904, 40905, 40906, 40907, 40908, 41000, 41300, 41500, 42200, 42900, 42901, 42902, 42903, 42904, 42905, 50000, 50300]
    """The first three digits are the HTTP status."""
    msg: str
    """Cause of the failure, and how to fix it."""
    data: ErrorData | None
    """Depends on `code`; null where an error has no data."""


class PreviewClip(TypedDict):
    """A submission, and which seconds of its outputs are wanted."""

    request: Submission
    """Request as it would be submitted. Errors in it have the same paths."""
    itemNo: NotRequired[int | None]
    """Which output."""
    clip: NotRequired[int | None]
    """
    Which clip or scene of the output, from 0; `atSeconds` counts from its beginning then, else from the
    output's.
    """
    atSeconds: NotRequired[float | None]
    """Where to begin. Later than a second before the output's end, it begins there."""
    seconds: NotRequired[float | None]
    """How much is played; less where the output ends before."""


class Preview(TypedDict):
    """A submission, and which frame of its outputs is wanted."""

    request: Submission
    """Request as it would be submitted. Errors in it have the same paths."""
    itemNo: NotRequired[int | None]
    """Which output."""
    clip: NotRequired[int | None]
    """
    Which clip or scene of the output, from 0; `atSeconds` counts from its beginning then, else from the
    output's. With it, the frame is found without fetching the other clips where they have no influence.
    """
    atSeconds: NotRequired[float | None]
    """
    A moment beyond the end is the last frame. When absent: the middle of the effect or of the first
    caption, else a third of the way.
    """
    width: NotRequired[int | None]
    """Maximum width of the frame, in pixels."""
