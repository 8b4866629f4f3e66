"""Request and response types, generated from docs/openapi.json by scripts/generate-clients.sh; do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union


class Account(TypedDict):
    """The user, and what the operator has set for the key and the service."""

    userName: str
    """Name of the user."""
    scopes: list[str]
    """Scopes of the key: `read`, `submit`, `admin`."""
    contact: NotRequired[str | None]
    """Where to ask for points or help: an email address or a URL. Null if the operator has not set it."""


class Balance(TypedDict):
    """`balance` can be spent; `total` also includes the points held for open tasks."""

    balance: int
    """Points that can be spent."""
    held: int
    """Points held for open tasks and batches."""
    total: int
    """Sum of `balance` and `held`."""
    account: NotRequired[Account | None]


BatchEventType: TypeAlias = Literal["batch.completed", "batch.failed", "batch.cancelled"]
"""Content of a batch event."""


class Bilingual(TypedDict):
    """A text in both languages."""

    en: str
    zh: str


class BrandRequest(TypedDict):
    """A brand to save. Files are `upload://` URLs of your uploads."""

    logo: NotRequired[str | None]
    """An image."""
    fonts: NotRequired[list[str] | None]
    """Font files, for captions and overlays."""
    colors: NotRequired[list[str] | None]
    """Colours such as `#1B1B2F`."""
    intro: NotRequired[str | None]
    """A video or an image."""
    outro: NotRequired[str | None]
    """A video or an image."""
    captionPreset: NotRequired[str | None]
    """Name of a caption style, as in `subtitle.style.preset`."""


class Brand(TypedDict):
    """Brand of a user. Files are `upload://` URLs."""

    logo: NotRequired[str | None]
    fonts: list[str]
    colors: list[str]
    intro: NotRequired[str | None]
    outro: NotRequired[str | None]
    captionPreset: NotRequired[str | None]
    """Name of a caption style."""
    updateTime: NotRequired[str | None]
    """When it was last saved; null: never."""


CallbackStatus: TypeAlias = Literal["none", "waiting", "due", "sending", "delivered", "failed"]
"""State of a callback."""


class CaptionStyleEntry(TypedDict):
    """A named style of captions."""

    name: str
    """The name used in `subtitle.style.preset`. Its fields never change."""
    title: Bilingual
    description: Bilingual
    style: dict[str, Any]
    """The fields of `subtitle.style` that it sets."""
    previewUrl: str
    """A small animated WebP image; no key is required."""


class CatalogueEntry(TypedDict):
    """One entry of a catalogue."""

    name: str
    """The name used in requests and recipes."""
    title: Bilingual
    description: Bilingual
    previewUrl: str
    """A small WebP image, animated for effects and transitions; no key is required."""


class CommentRequest(TypedDict):
    """A comment."""

    text: str
    """Plain text; can have several lines."""
    name: NotRequired[str | None]
    """Your name."""
    item: NotRequired[str | None]
    """Name of the video in this share; by default, the comment is about all of them."""


class Deduction(TypedDict):
    """Points to deduct."""

    userId: int
    points: int
    remark: str
    """Reason, shown in the user's records."""


class DirectUpload(TypedDict):
    """Size of the file, and whether it is sent in parts."""

    sizeBytes: int
    """Exact size of the file."""
    multipart: NotRequired[bool | None]
    """
    Whether to upload in parts, which can be sent in parallel and retried individually. Files larger than 5 GiB
    are always sent in parts.
    """


class DiversityPair(TypedDict):
    """Two outputs of a task."""

    items: list[int]
    """Numbers of the two items."""
    sharedSeconds: float
    """Seconds of source footage shown in both."""
    similarity: NotRequired[float | None]
    """Visual similarity, 0 to 1; null until the task has ended, in lists, and if unknown."""


class Diversity(TypedDict):
    """Footage that outputs of a task share, and their similarity."""

    pairs: list[DiversityPair]
    """
    All pairs in the order of their items if there are at most 20; otherwise the 20 pairs that share most, in
    descending order.
    """
    totalPairs: NotRequired[int | None]
    """Number of all pairs; `diversity/{taskNo}` lists them. Omitted if `pairs` is certain to be complete."""
    mostSimilar: DiversityPair
    """The pair that shares the most footage."""
    mostAlike: NotRequired[DiversityPair | None]


ErrorCodeName: TypeAlias = Literal["URL_BLOCKED", "URL_SCHEME", "DOWNLOAD_FAILED", "NOT_MEDIA", "FORMAT_NOT_ALLOWED", "CODEC_NOT_ALLOWED", "MEDIA_TOO_LARGE", "MEDIA_DAMAGED", "NO_VIDEO_STREAM", "CLIP_TOO_SHORT", "SUBTITLE_INVALID", "FONT_INVALID", "MASK_INVALID", "SPEECH_FAILED", "RENDER_FAILED", "RENDER_TIMEOUT", "CANCELLED", "INTERNAL"]
"""Kind of a failure inside a task."""


EventName: TypeAlias = Literal["state", "progress", "item"]
"""Content of an event."""


class TaskEvent(TypedDict):
    """One server-sent event of a task."""

    event: EventName
    id: str
    """Identifies all events up to this one; a client that reconnects sends it as `Last-Event-ID`."""
    data: str
    """JSON: a task without its items, its progress, or one item."""


EventType: TypeAlias = Literal["task.completed", "task.failed", "task.cancelled", "task.rejected"]
"""Content of an event."""


class FailureCause(TypedDict):
    """Number of failures with one cause."""

    code: ErrorCodeName
    items: int
    """Outputs that failed with this cause."""
    tasks: int
    """Tasks that these outputs belong to."""
    users: int
    """Users who own these tasks."""
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


class FileRequest(TypedDict):
    """A file and a time in it."""

    url: str
    """One of your uploads or a web address."""
    atSeconds: NotRequired[float | None]
    """By default, a time near the beginning of the file."""
    width: NotRequired[int | None]
    """Maximum width of the frame, in pixels."""


class OutputFile(TypedDict):
    """The output file. `url` and `expiresAt` are null once the file is gone."""

    url: NotRequired[str | None]
    """Signed link to the file; renewed with each call."""
    coverUrl: NotRequired[str | None]
    """Signed link to a cover image (JPEG)."""
    expiresAt: NotRequired[str | None]
    """When the links stop working."""
    fileExpiresAt: NotRequired[str | None]
    """When the file is deleted."""
    duration: NotRequired[float | None]
    """Seconds."""
    width: NotRequired[int | None]
    """Pixels."""
    height: NotRequired[int | None]
    """Pixels."""
    fps: NotRequired[int | None]
    """Frames per second."""
    sizeBytes: NotRequired[int | None]
    """Size of the file."""
    sha256: NotRequired[str | None]
    """Of the file, lower-case hexadecimal."""
    videoCodec: NotRequired[str | None]
    """`h264`."""
    audioCodec: NotRequired[str | None]
    """`aac`, or null for an output without audio."""


class FontEntry(TypedDict):
    """A font for captions."""

    name: str
    """The name used in `subtitle.style.font`."""
    title: Bilingual
    scripts: list[str]
    """Scripts that the font contains (ISO 15924); other fonts are substituted for the rest."""
    weights: list[str]


class GrantRequest(TypedDict):
    """Points for a user."""

    userId: int
    points: int
    remark: NotRequired[str | None]
    """Shown in the user's records."""


class Grant(TypedDict):
    userId: int
    points: int
    balance: int
    """Balance of the user afterwards."""
    held: int


class Health(TypedDict):
    status: str
    version: str


class InvitationCode(TypedDict):
    """Code of an invitation."""

    code: str
    """`cm_inv_` and 36 characters."""


class InvitationRequest(TypedDict):
    """User, scopes and validity of an invitation."""

    userId: int
    scopes: NotRequired[list[str] | None]
    """Scopes of the key: `read`, `submit`, `admin`; by default `read` and `submit`."""
    hours: NotRequired[int | None]
    """Hours until the link expires."""


class Invitation(TypedDict):
    """
    An invitation, without its link. It can be used if `useTime` and `revokeTime` are null and `expireTime` has not
    passed.
    """

    invitationId: int
    userId: int
    userName: str
    scopes: list[str]
    """Scopes of the key: `read`, `submit`, `admin`."""
    createTime: str
    expireTime: str
    useTime: NotRequired[str | None]
    revokeTime: NotRequired[str | None]
    keyId: NotRequired[int | None]
    """The key that was issued for it."""


class KeyRequest(TypedDict):
    """Scopes and expiry of a key."""

    scopes: NotRequired[list[str] | None]
    """`read`, `submit`, `admin`; by default `read` and `submit`."""
    expireTime: NotRequired[str | None]
    """RFC 3339, or a date (its beginning in UTC); the key does not expire when absent."""


class Key(TypedDict):
    """A stored key, without the key itself."""

    keyId: int
    prefix: str
    """First characters of the key."""
    scopes: list[str]
    """`read`, `submit`, `admin`."""
    createTime: str
    expireTime: NotRequired[str | None]
    """When it expires; null: never."""
    revokeTime: NotRequired[str | None]
    lastUseTime: NotRequired[str | None]
    """Last use, to the minute."""
    current: bool
    """Whether this call was made with this key."""


class Keys(TypedDict):
    list: list[Key]
    total: int


class Listening(TypedDict):
    """A text to listen to."""

    text: str
    voice: NotRequired[str | None]
    """A name in the list of voices; the default voice if omitted."""
    speed: NotRequired[float | None]


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
    """Pixels, after rotation."""
    height: int
    duration: float
    """Seconds."""
    frames: int
    frameRate: float
    rotation: int
    """Degrees clockwise."""
    still: bool
    """Whether it is an image."""


class NewInvitation(TypedDict):
    """A new invitation with its link, which is shown only here."""

    invitationId: int
    userId: int
    userName: str
    scopes: list[str]
    """Scopes of the key: `read`, `submit`, `admin`."""
    createTime: str
    expireTime: str
    useTime: NotRequired[str | None]
    revokeTime: NotRequired[str | None]
    keyId: NotRequired[int | None]
    """The key that was issued for it."""
    url: str
    """Send it to the person. The code is after `#`, so servers and proxies do not see it."""


class NewKey(TypedDict):
    """A new key, which is shown only here."""

    keyId: int
    userId: int
    apiKey: str
    scopes: list[str]
    expireTime: NotRequired[str | None]


class NewShare(TypedDict):
    """Outputs to show, expiry and texts of the page."""

    items: NotRequired[list[int] | None]
    """Numbers of items; all when absent."""
    expiresAt: NotRequired[str | None]
    """RFC 3339, or a date (its beginning in UTC); by default the share expires with the files."""
    title: NotRequired[str | None]
    """Title of the page."""
    message: NotRequired[str | None]
    """Text above the videos; can have several lines."""
    feedback: NotRequired[bool | None]
    """Whether viewers can pick videos and comment."""


class NewUserRequest(TypedDict):
    """A user to create."""

    name: str
    points: NotRequired[int | None]
    """Initial points."""


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
    """Exact number of bytes that the link accepts."""
    url: str
    """Accepts the part as its body."""


class PauseRequest(TypedDict):
    """Reason for the pause."""

    reason: NotRequired[str | None]
    """Shown to users whose tasks are waiting."""


class Pause(TypedDict):
    """The queue is paused: no new work starts."""

    since: str
    reason: NotRequired[str | None]
    """The operator's note."""


class Paused(TypedDict):
    """Whether anything changed."""

    paused: bool
    changed: bool


class PickRequest(TypedDict):
    """A video, and whether it is picked."""

    item: str
    """Name of the video in this share."""
    picked: bool


class Pick(TypedDict):
    """A picked video."""

    taskNo: str
    itemNo: int


class Quality(TypedDict):
    """Result of verifying a finished file."""

    framesPlanned: int
    framesFound: int
    avDifferenceMs: NotRequired[float | None]
    """End of the audio minus end of the video; null without audio."""
    loudnessLufs: NotRequired[float | None]
    """Integrated loudness (EBU R128); null for silence or without audio."""
    truePeakDbtp: NotRequired[float | None]
    """dBTP, of the decoded file."""
    durationErrorMs: float
    """End of the longer of audio and video minus the planned length."""
    blackSeconds: float
    """Total length of black frames."""
    frozenSeconds: float
    """Total length of frozen sections."""
    speed: NotRequired[float | None]
    """Seconds of output per second of rendering."""


class QueueDepth(TypedDict):
    kind: str
    """`preflight`, `segment` or `finish`."""
    state: str
    """`ready`, `delayed`, `waiting` or `running`."""
    count: int
    oldestAgeSeconds: int


RecordType: TypeAlias = Literal["grant", "hold", "settle", "release", "adjust"]
"""Kind of a record."""


class RedeemedInvitation(TypedDict):
    """The key of an invitation, which is shown only here."""

    keyId: int
    userId: int
    userName: str
    apiKey: str
    scopes: list[str]


class Requeued(TypedDict):
    requeued: int
    """Number of jobs that are ready again."""


RowStateName: TypeAlias = Literal["waiting", "made", "refused", "cancelled"]
"""State of a row."""


class Running(TypedDict):
    workId: int
    kind: str
    userName: str
    taskNo: NotRequired[str | None]
    """For a shared segment, the oldest task that waits for it."""
    itemNo: NotRequired[int | None]
    worker: str
    runningSeconds: int
    leaseSeconds: int
    """Time until the lease expires unless renewed; negative once expired."""
    attempts: int
    """Failed attempts so far, including lost leases."""
    lostLeases: int


class SentUpload(TypedDict):
    """The finished upload."""

    uploadId: str
    """The ID that `presign` returned."""
    fileName: NotRequired[str | None]
    """Display name of the file."""
    etags: NotRequired[list[str] | None]
    """For parts: the `ETag` header of each response, in order."""


class ShareComment(TypedDict):
    """A comment of a viewer. All texts are plain text."""

    commentId: int
    taskNo: NotRequired[str | None]
    """The task of the video; null if the comment is about all videos, or the task was deleted."""
    itemNo: NotRequired[int | None]
    """The number of the video; null as `taskNo`."""
    name: NotRequired[str | None]
    """The name that the viewer gave; it is not verified."""
    text: str
    createTime: str


class ShareFeedback(TypedDict):
    """The feedback on a share, for its owner."""

    picks: list[Pick]
    """Picked videos, in the order of the page."""
    comments: list[ShareComment]
    """The oldest first."""


class SharedTask(TypedDict):
    """Part of a share that belongs to one task."""

    taskNo: str
    items: NotRequired[list[int] | None]
    """Numbers of the items shown; null for all."""


class SharedVideo(TypedDict):
    """A video of a share."""

    item: str
    """Name of the video in this share; use it in `picks` and `comments`."""
    url: str
    """The file."""
    picked: bool
    duration: float
    """In seconds."""
    width: int
    height: int


class SoundRequest(TypedDict):
    """A file, and the seconds of its audio to return."""

    url: str
    """One of your uploads or a web address."""
    atSeconds: NotRequired[float | None]
    seconds: NotRequired[float | None]
    """Length of the excerpt; shorter if the audio ends before."""


StateName: TypeAlias = Literal["pending submission", "queued", "executing", "completed", "failed", "cancelled", "rejected"]
"""State in words."""


class SwitchOff(TypedDict):
    """Why a user is disabled."""

    reason: str
    """The user sees it."""
    cancel: NotRequired[bool | None]
    """Cancel the user's open tasks and batches; otherwise they are finished."""


class Switched(TypedDict):
    """Whether a user is disabled."""

    userId: int
    offSince: NotRequired[str | None]
    offReason: NotRequired[str | None]
    """The reason shown to the user."""
    cancelled: int
    """Tasks and batches that were cancelled."""


TaskLabel: TypeAlias = str
"""A label."""


class TaskNaming(TypedDict):
    """New name and labels of a task. Omitted fields are left unchanged; null clears them."""

    name: NotRequired[str | None]
    labels: NotRequired[list[TaskLabel] | None]
    """Replaces the labels of the task."""


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
    """Starts at 1 and increases with each change."""
    createTime: str
    updateTime: str


class TemplateRef(TypedDict):
    """Source of a task."""

    templateNo: str
    version: int


class UploadName(TypedDict):
    """A new name."""

    name: str


class UsageSum(TypedDict):
    points: int
    """Points spent."""
    outputs: int
    """Outputs delivered."""
    outputSeconds: float
    """Total length of these outputs in seconds."""


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
    """Total length of these outputs in seconds."""
    userId: int
    userName: str
    storedBytes: int
    """Bytes of results and uploads stored now."""


class User(TypedDict):
    userId: int
    name: str
    balance: int
    """Points that can be spent."""
    held: int
    tasks: int
    """Number of stored tasks."""
    createTime: str
    offSince: NotRequired[str | None]
    """When the user was disabled; null if enabled."""
    offReason: NotRequired[str | None]
    """The reason shown to the user."""


VariableDefault: TypeAlias = str | float | bool | list[str]
"""Default of a variable: a value, or an array of texts for a list."""


VariableTypeName: TypeAlias = Literal["text", "number", "url", "color", "choice", "urls", "texts"]
"""Kind of a variable."""


VariableValue: TypeAlias = str | float | bool
"""Value of a variable: a text, a number, true or false."""


class ViewerComment(TypedDict):
    """A comment as viewers see it. All texts are plain text."""

    commentId: int
    item: NotRequired[str | None]
    """The video; null if the comment is about all of them."""
    name: NotRequired[str | None]
    """The name that the viewer gave; it is not verified."""
    text: str
    createTime: str


class ViewerFeedback(TypedDict):
    """A share as its viewers see it."""

    title: NotRequired[str | None]
    message: NotRequired[str | None]
    videos: list[SharedVideo]
    """Finished videos, in the order of the page."""
    comments: list[ViewerComment]
    """The oldest first."""


class VoiceEntry(TypedDict):
    """A voice that speaks texts."""

    name: str
    """The name used in `audio.voice`."""
    title: NotRequired[Bilingual | None]


class WideShare(TypedDict):
    """Tasks and outputs to show, expiry and texts of the page."""

    tasks: list[TaskToShare]
    """In the order of the page; at most 1,000 videos."""
    expiresAt: NotRequired[str | None]
    """RFC 3339, or a date (its beginning in UTC); by default the share expires with the files."""
    title: NotRequired[str | None]
    """Title of the page."""
    message: NotRequired[str | None]
    """Text above the videos; can have several lines."""
    feedback: NotRequired[bool | None]
    """Whether viewers can pick videos and comment."""


class Worker(TypedDict):
    """A worker that has reported within the last day."""

    name: str
    host: str
    version: str
    slots: int
    running: int
    kinds: list[str]
    """Kinds of work it accepts."""
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


class PageInvitation(TypedDict):
    """A page of a list, newest first."""

    list: list[Invitation]
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
    """One of your templates with values, instead of a request."""

    template: str
    """Number of the template."""
    version: NotRequired[int | None]
    """The newest when absent."""
    values: NotRequired[dict[str, Any] | None]
    """Values of its variables, by name."""
    clientTaskId: NotRequired[str | None]
    """As in a request; overrides the template's."""
    callbackUrl: NotRequired[str | None]
    """As in a request; overrides the template's."""
    name: NotRequired[str | None]
    """As in a request; overrides the template's."""
    labels: NotRequired[list[str] | None]
    """As in a request; overrides the template's."""
    maxPoints: NotRequired[int | None]
    """As in a request; overrides the template's."""


class VideoDeduplicationOptionsFrameExtraction(TypedDict):
    """Drops frames down to a random rate between `start` and `end`, before the output rate is applied."""

    isExtract: NotRequired[bool]
    """Enables frame extraction."""
    start: NotRequired[float]
    """Lowest rate, in frames per second."""
    end: NotRequired[float]
    """Highest rate, in frames per second."""


class VideoDeduplicationOptionsSpeed(TypedDict):
    """Changes the speed of video and audio by a random factor between `start` and `end`. The pitch is preserved."""

    isSpeed: NotRequired[bool]
    """Enables the speed change."""
    start: NotRequired[float]
    """Lowest speed multiplier."""
    end: NotRequired[float]
    """Highest speed multiplier."""


class VideoDeduplicationOptionsRotation(TypedDict):
    """Rotates the video by a random angle between `minAngle` and `maxAngle`, without empty corners."""

    isRotate: NotRequired[bool]
    """Enables rotation."""
    direction: NotRequired[Literal["clockwise", "counterclockwise"]]
    """Direction of the rotation."""
    minAngle: NotRequired[float]
    """Smallest angle in degrees."""
    maxAngle: NotRequired[float]
    """Largest angle in degrees."""


class VideoDeduplicationOptionsZoom(TypedDict):
    """Enlarges the video around the centre by a random factor between `minScale` and `maxScale` and crops it."""

    isZoom: NotRequired[bool]
    """Enables zoom."""
    minScale: NotRequired[float]
    """Smallest factor."""
    maxScale: NotRequired[float]
    """Largest factor."""


class VideoDeduplicationOptionsColourMixing(TypedDict):
    """Adjusts brightness, contrast, saturation and gamma, each by a random value from its range."""

    isMixing: NotRequired[bool]
    """Enables colour adjustment."""
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
    """Shifts hue, saturation and brightness by fixed amounts."""

    isMixing: NotRequired[bool]
    """Enables the hue shift."""
    h: NotRequired[float]
    """Hue offset in degrees."""
    s: NotRequired[float]
    """Saturation offset from neutral."""
    b: NotRequired[float]
    """Added brightness; 1 is a tenth of full scale."""


class VideoDeduplicationOptionsColorBalance(TypedDict):
    """Raises red, green and blue in shadows, midtones and highlights."""

    isBalance: NotRequired[bool]
    """Enables colour balance."""
    rs: NotRequired[float]
    """Red in the shadows, strongest in black."""
    gs: NotRequired[float]
    """Green in the shadows, strongest in black."""
    bs: NotRequired[float]
    """Blue in the shadows, strongest in black."""
    rm: NotRequired[float]
    """Red in the midtones, strongest in middle grey."""
    gm: NotRequired[float]
    """Green in the midtones, strongest in middle grey."""
    bm: NotRequired[float]
    """Blue in the midtones, strongest in middle grey."""
    rh: NotRequired[float]
    """Red in the highlights, up to white."""
    gh: NotRequired[float]
    """Green in the highlights, up to white."""
    bh: NotRequired[float]
    """Blue in the highlights, up to white."""


class VideoDeduplicationOptionsPIP(TypedDict):
    """Shows the video smaller, in the centre of a background."""

    isPIP: NotRequired[bool]
    """Enables picture-in-picture."""
    padding: NotRequired[float]
    """Margin: the video is scaled to 100 minus this many percent."""
    fillMode: NotRequired[int]
    """Background. 1: `fillVideoPath`, or a flat colour if it is omitted; 2: `fillVideoPath`, or the video itself, blurred and darkened."""
    fillVideoPath: NotRequired[str]
    """URL of a video or an image for the background. Its audio is ignored."""


class VideoDeduplicationOptionsPicMask(TypedDict):
    """Overlays layers of images, each scaled to cover the frame."""

    isMask: NotRequired[bool]
    """Enables the mask."""
    picFiles: NotRequired[list[str]]
    """Mask files; each layer uses a random one. Required if the mask is enabled."""
    layerCount: NotRequired[int]
    """Number of layers; 0 disables the mask."""
    trans: NotRequired[float]
    """Opacity of a layer in percent: 3 is barely visible, 100 covers."""


class VideoDeduplicationOptionsVideoMask(TypedDict):
    """Overlays layers of looping videos, each scaled to cover the frame."""

    isMask: NotRequired[bool]
    """Enables the mask."""
    videoFiles: NotRequired[list[str]]
    """Mask files; each layer uses a random one. Required if the mask is enabled."""
    layerCount: NotRequired[int]
    """Number of layers; 0 disables the mask."""
    trans: NotRequired[float]
    """Opacity of a layer in percent: 3 is barely visible, 100 covers."""


class VideoDeduplicationOptionsEffect(TypedDict):
    """A special effect during a part of the video."""

    value: NotRequired[Literal["flash", "strobe", "light-leak", "lens-flare", "rainbow", "sparkle", "bokeh", "snow", "rain", "fog", "confetti", "dream", "lens-blur", "vignette", "spotlight", "cinema-bars", "zoom-pulse", "shake", "ripple", "mirror-tile", "pixelate", "film-grain", "old-film", "vhs", "glitch", "rgb-split", "neon-edges", "comic", "thermal", "duotone"]]
    """Name of an effect in the catalogue. If omitted, no effect is applied."""
    trans: NotRequired[float]
    """Strength in percent."""
    duration: NotRequired[float]
    """Duration in seconds; 0 disables the effect."""
    position: NotRequired[float]
    """Start of the effect, in percent of the length."""


VideoDeduplicationOptionsCoverTitleStyleFontName: TypeAlias = Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]


class VideoDeduplicationOptionsCoverTitleStyleHighlight(TypedDict):
    """Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words."""

    color: NotRequired[str]
    """Colour of the spoken word."""
    box: NotRequired[str]
    """Colour of a box behind the spoken word. `radius` rounds its corners."""
    scale: NotRequired[float]
    """Size of the spoken word, relative to the other words. Nothing else moves."""


class VideoDeduplicationOptionsCoverTitleStyle(TypedDict):
    """Style of the text, as for captions; `bottom`, `place`, `highlight`, `words`, `motion`, `maxWords` and `maxWidth` have no effect here."""

    preset: NotRequired[Literal["clean", "bold-pop", "karaoke", "karaoke-box", "impact", "build", "typewriter", "label", "neon", "headline"]]
    """Name of a style in the catalogue of caption styles. It sets the fields that this object does not have."""
    fontSize: NotRequired[int]
    """Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Distance from the bottom edge to the text, in pixels of the output."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[VideoDeduplicationOptionsCoverTitleStyleFontName | str]
    """Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """Weight of the letters."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred."""
    shadow: NotRequired[int]
    """Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it."""
    radius: NotRequired[int]
    """Corner radius of the box, in hundredths of an em."""
    highlight: NotRequired[VideoDeduplicationOptionsCoverTitleStyleHighlight]
    words: NotRequired[Literal["line", "one", "grow"]]
    """The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption."""
    motion: NotRequired[Literal["none", "fade", "pop", "rise", "typewriter"]]
    """How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word."""
    uppercase: NotRequired[bool]
    """Shows the text in capitals, as far as the fonts have them. Times do not change."""
    maxWords: NotRequired[int]
    """The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words."""
    maxWidth: NotRequired[float]
    """The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons."""


class VideoDeduplicationOptionsCoverTitle(TypedDict):
    """A text in the middle of the cover."""

    text: str
    """The text. Lines break at its line breaks and wherever they would exceed 90 percent of the width."""
    style: NotRequired[VideoDeduplicationOptionsCoverTitleStyle]


class VideoDeduplicationOptionsCover(TypedDict):
    """The cover of each output: a frame of it (`at`) or an image (`url`), with a title. Without `at` and `url`, the service chooses a sharp, well-exposed frame."""

    at: NotRequired[float]
    """Time in the output of the frame that becomes the cover, in seconds. A time after the end means the last frame, with a warning."""
    url: NotRequired[str]
    """URL of an image (PNG, JPEG or WebP), in place of `at`. It fills the frame; the rest is cropped."""
    title: NotRequired[VideoDeduplicationOptionsCoverTitle]


class VideoDeduplicationOptions(TypedDict):
    """Options; each has a default."""

    preset: NotRequired[Literal["draft", "standard", "high"]]
    """Encoding effort: `draft` is the fastest, `high` gives the best quality. The default is set by the installation, usually `standard`."""
    frameExtraction: NotRequired[VideoDeduplicationOptionsFrameExtraction]
    speed: NotRequired[VideoDeduplicationOptionsSpeed]
    fps: NotRequired[Literal[25, 30, 50, 60]]
    """Frame rate of the output, in frames per second."""
    isMirror: NotRequired[bool]
    """Mirrors the video horizontally."""
    rotation: NotRequired[VideoDeduplicationOptionsRotation]
    zoom: NotRequired[VideoDeduplicationOptionsZoom]
    colourMixing: NotRequired[VideoDeduplicationOptionsColourMixing]
    hueMixing: NotRequired[VideoDeduplicationOptionsHueMixing]
    colorBalance: NotRequired[VideoDeduplicationOptionsColorBalance]
    isFilter: NotRequired[bool]
    """Applies a random colour look from the catalogue."""
    PIP: NotRequired[VideoDeduplicationOptionsPIP]
    picMask: NotRequired[VideoDeduplicationOptionsPicMask]
    videoMask: NotRequired[VideoDeduplicationOptionsVideoMask]
    effect: NotRequired[VideoDeduplicationOptionsEffect]
    cover: NotRequired[VideoDeduplicationOptionsCover]


VideoDeduplicationVideo = TypedDict(
    "VideoDeduplicationVideo",
    {
        "filename": str,
        "duration": NotRequired[float],
        "from": NotRequired[float],
        "to": NotRequired[float],
        "copies": NotRequired[int],
    },
)


class VideoDeduplicationParams(TypedDict):
    """Parameters of the task."""

    seed: NotRequired[int]
    """Seed of all random choices. If omitted, a random seed is used."""
    options: NotRequired[VideoDeduplicationOptions]
    videoList: list[VideoDeduplicationVideo]
    """Videos to vary; each produces `copies` outputs. An installation can set another limit."""


class VideoDeduplicationRequest(TypedDict):
    taskType: Literal["videoDeduplication"]
    """Type of the task; it determines the structure of `params`."""
    params: VideoDeduplicationParams
    callbackUrl: NotRequired[str]
    """URL that receives one callback when the task has reached a final state."""
    clientTaskId: NotRequired[str]
    """Your own ID for this job (idempotency key). Sending the same body with the same ID again returns the existing task and costs nothing."""
    name: NotRequired[str]
    """Name of the task, for use in `list`. It affects neither the videos nor the comparison with earlier requests."""
    labels: NotRequired[list[str]]
    """Up to ten labels, for use in `list`."""
    maxPoints: NotRequired[int]
    """Maximum price of the task. A submission with a higher estimate fails with 40201; a task with a higher confirmed price is rejected."""


BaseVideoMixOptionsBackgroundName: TypeAlias = Literal["black", "blur"]


BaseVideoMixOptionsBackgroundMusic = TypedDict(
    "BaseVideoMixOptionsBackgroundMusic",
    {
        "url": NotRequired[str],
        "from": NotRequired[float],
        "fileName": NotRequired[str],
        "duration": NotRequired[float],
        "volume": NotRequired[int],
        "fadeIn": NotRequired[float],
        "fadeOut": NotRequired[float],
    },
)


class BaseVideoMixOptionsAudio(TypedDict):
    """Voice-over that plays once from the start: a file, or a text to speak."""

    url: NotRequired[str]
    """URL of an audio file, or of a video with audio. Without `url` and `text`, nothing plays."""
    text: NotRequired[str]
    """A text to speak, in place of `url`."""
    voice: NotRequired[str]
    """The voice that speaks `text`: a name in the list of voices."""
    speed: NotRequired[float]
    """The speed at which `text` is spoken."""
    start: NotRequired[float]
    """Time at which the voice-over begins, in seconds after the intro. Captions that follow it begin as much later."""
    fileName: NotRequired[str]
    """A name for your own use; it has no effect."""
    duration: NotRequired[float]
    """Use only this many seconds of the file; 0 plays nothing."""
    volume: NotRequired[int]
    """Volume in percent of amplitude."""
    fadeIn: NotRequired[float]
    """Duration of the fade-in, in seconds."""
    fadeOut: NotRequired[float]
    """Duration of the fade-out, in seconds."""


class BaseVideoMixOptionsSubtitleCueWord(TypedDict):
    """A word."""

    start: float
    """Time at which the word begins, in seconds after the intro."""
    end: float
    """Time at which the word ends, in seconds after the intro. It stays highlighted until the next one begins."""
    text: str
    """The word as it is written in the text of the caption."""


class BaseVideoMixOptionsSubtitleCue(TypedDict):
    """A caption."""

    start: float
    """Time at which the caption appears, in seconds after the intro."""
    end: float
    """Time at which the caption disappears, in seconds after the intro."""
    text: str
    """Text of the caption. Lines break at its line breaks and wherever they would be too wide."""
    words: NotRequired[list[BaseVideoMixOptionsSubtitleCueWord]]
    """Words of the text with the times at which they are spoken, for `highlight`."""


BaseVideoMixOptionsSubtitleStyleFontName: TypeAlias = Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]


class BaseVideoMixOptionsSubtitleStyleHighlight(TypedDict):
    """Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words."""

    color: NotRequired[str]
    """Colour of the spoken word."""
    box: NotRequired[str]
    """Colour of a box behind the spoken word. `radius` rounds its corners."""
    scale: NotRequired[float]
    """Size of the spoken word, relative to the other words. Nothing else moves."""


class BaseVideoMixOptionsSubtitleStyle(TypedDict):
    """Style of the text."""

    preset: NotRequired[Literal["clean", "bold-pop", "karaoke", "karaoke-box", "impact", "build", "typewriter", "label", "neon", "headline"]]
    """Name of a style in the catalogue of caption styles. It sets the fields that this object does not have."""
    fontSize: NotRequired[int]
    """Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Distance from the bottom edge to the text, in pixels of the output."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[BaseVideoMixOptionsSubtitleStyleFontName | str]
    """Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """Weight of the letters."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred."""
    shadow: NotRequired[int]
    """Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it."""
    radius: NotRequired[int]
    """Corner radius of the box, in hundredths of an em."""
    highlight: NotRequired[BaseVideoMixOptionsSubtitleStyleHighlight]
    words: NotRequired[Literal["line", "one", "grow"]]
    """The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption."""
    motion: NotRequired[Literal["none", "fade", "pop", "rise", "typewriter"]]
    """How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word."""
    uppercase: NotRequired[bool]
    """Shows the text in capitals, as far as the fonts have them. Times do not change."""
    maxWords: NotRequired[int]
    """The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words."""
    maxWidth: NotRequired[float]
    """The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons."""


BaseVideoMixOptionsSubtitle = TypedDict(
    "BaseVideoMixOptionsSubtitle",
    {
        "url": NotRequired[str],
        "text": NotRequired[str],
        "timing": NotRequired[Literal["voice", "even"]],
        "from": NotRequired[Literal["voice", "clips"]],
        "cues": NotRequired[list[BaseVideoMixOptionsSubtitleCue]],
        "fileName": NotRequired[str],
        "style": NotRequired[BaseVideoMixOptionsSubtitleStyle],
    },
)


class BaseVideoMixOptionsIntroPool(TypedDict):
    """An intro."""

    url: str
    """URL of the clip."""


class BaseVideoMixOptionsOutroPool(TypedDict):
    """An outro."""

    url: str
    """URL of the clip."""


class BaseVideoMixOptionsTransition(TypedDict):
    """Transitions between clips. Clips overlap, so the output is shorter by the overlaps."""

    names: list[Literal["fade", "fadeblack", "fadewhite", "fadegrays", "dissolve", "pixelize", "hblur", "slideleft", "slideright", "slideup", "slidedown", "zoomthrough", "whippan", "spin", "glitch", "wipeleft", "wiperight", "wipeup", "wipedown", "smoothleft", "smoothright", "smoothup", "smoothdown", "circleopen", "circleclose", "circlecrop", "rectcrop", "vertopen", "vertclose", "horzopen", "horzclose", "radial", "diagtl", "diagbr", "hlslice", "hrslice", "vuslice", "vdslice", "squeezeh", "squeezev"]]
    """Names in the catalogue. One is chosen at random for each cut; all are used before any is repeated."""
    duration: NotRequired[float]
    """Overlap of two clips in seconds; less if a clip is too short."""


class BaseVideoMixOptionsOverlayKey(TypedDict):
    """Makes one colour of the video transparent (green screen) and removes its reflection from the rest."""

    color: str
    """The colour that becomes transparent, such as the green of a screen. It must not be a grey."""
    tolerance: NotRequired[float]
    """How much a pixel may differ from the colour and still be fully transparent, in percent of the way from the colour to one that has none of it."""
    softness: NotRequired[float]
    """The part of the rest of that way over which pixels become opaque, in percent: 100 keeps edges exactly as soft as they are, 0 makes them hard."""


BaseVideoMixOptionsOverlayPlaceName: TypeAlias = Literal["top-left", "top", "top-right", "left", "middle", "right", "bottom-left", "bottom", "bottom-right"]


class BaseVideoMixOptionsOverlayPlace(TypedDict):
    x: float
    """Distance of the centre from the left edge, in percent of the output's width."""
    y: float
    """Distance of the centre from the top edge, in percent of the output's height."""


BaseVideoMixOptionsOverlayStyleFontName: TypeAlias = Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]


class BaseVideoMixOptionsOverlayStyleHighlight(TypedDict):
    """Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words."""

    color: NotRequired[str]
    """Colour of the spoken word."""
    box: NotRequired[str]
    """Colour of a box behind the spoken word. `radius` rounds its corners."""
    scale: NotRequired[float]
    """Size of the spoken word, relative to the other words. Nothing else moves."""


class BaseVideoMixOptionsOverlayStyle(TypedDict):
    """Style of the text, as for captions; `bottom`, `place`, `highlight`, `words`, `motion`, `maxWords` and `maxWidth` have no effect here."""

    preset: NotRequired[Literal["clean", "bold-pop", "karaoke", "karaoke-box", "impact", "build", "typewriter", "label", "neon", "headline"]]
    """Name of a style in the catalogue of caption styles. It sets the fields that this object does not have."""
    fontSize: NotRequired[int]
    """Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Distance from the bottom edge to the text, in pixels of the output."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[BaseVideoMixOptionsOverlayStyleFontName | str]
    """Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """Weight of the letters."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred."""
    shadow: NotRequired[int]
    """Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it."""
    radius: NotRequired[int]
    """Corner radius of the box, in hundredths of an em."""
    highlight: NotRequired[BaseVideoMixOptionsOverlayStyleHighlight]
    words: NotRequired[Literal["line", "one", "grow"]]
    """The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption."""
    motion: NotRequired[Literal["none", "fade", "pop", "rise", "typewriter"]]
    """How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word."""
    uppercase: NotRequired[bool]
    """Shows the text in capitals, as far as the fonts have them. Times do not change."""
    maxWords: NotRequired[int]
    """The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words."""
    maxWidth: NotRequired[float]
    """The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons."""


class BaseVideoMixOptionsOverlay(TypedDict):
    """An image, a video or a text."""

    type: Literal["image", "video", "text"]
    """Type of the overlay."""
    url: NotRequired[str]
    """URL of the file. For an image: PNG, JPEG or WebP, with or without alpha; of an animated image, the first frame is shown. For a video: a video file, an animated GIF, PNG or WebP, at most 3840 pixels on its long side."""
    width: NotRequired[float]
    """Width of the image or video in percent of the output's width; less if it would be taller than the output."""
    opacity: NotRequired[float]
    """Opacity of the image or video, multiplied by its own alpha."""
    loop: NotRequired[bool]
    """Whether the video repeats until `end`. Otherwise it disappears when it ends."""
    volume: NotRequired[int]
    """Volume of the video's own audio, in percent of amplitude."""
    key: NotRequired[BaseVideoMixOptionsOverlayKey]
    text: NotRequired[str]
    """The text. Lines break at its line breaks and wherever they would exceed `maxWidth`."""
    texts: NotRequired[list[str]]
    """Several texts instead of `text`. Each output uses one; all are used before any is repeated."""
    maxWidth: NotRequired[float]
    """Maximum width of a line, in percent of the output's width."""
    place: NotRequired[BaseVideoMixOptionsOverlayPlaceName | BaseVideoMixOptionsOverlayPlace]
    """Position: a corner, the middle of an edge or of the frame, or `{x, y}` for its centre. An overlay is always fully inside the frame."""
    margin: NotRequired[float]
    """Distance from the nearest edges, in percent of the output's short side. It does not apply to `{x, y}`."""
    start: NotRequired[float]
    """Time in the output at which the overlay appears, in seconds."""
    end: NotRequired[float]
    """Time in the output at which the overlay disappears, in seconds."""
    enter: NotRequired[Literal["none", "fade", "pop", "slide-left", "slide-right", "slide-up", "slide-down"]]
    """Motion with which the overlay appears. A slide moves in the direction of its name, from outside the frame."""
    enterSeconds: NotRequired[float]
    """Length of that motion in seconds."""
    leave: NotRequired[Literal["none", "fade", "pop", "slide-left", "slide-right", "slide-up", "slide-down"]]
    """Motion with which the overlay disappears. A slide moves in the direction of its name, out of the frame."""
    leaveSeconds: NotRequired[float]
    """Length of that motion in seconds. If both motions together are longer than the overlay is shown, both are shortened in proportion, with a warning."""
    style: NotRequired[BaseVideoMixOptionsOverlayStyle]


BaseVideoMixOptionsCoverTitleStyleFontName: TypeAlias = Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]


class BaseVideoMixOptionsCoverTitleStyleHighlight(TypedDict):
    """Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words."""

    color: NotRequired[str]
    """Colour of the spoken word."""
    box: NotRequired[str]
    """Colour of a box behind the spoken word. `radius` rounds its corners."""
    scale: NotRequired[float]
    """Size of the spoken word, relative to the other words. Nothing else moves."""


class BaseVideoMixOptionsCoverTitleStyle(TypedDict):
    """Style of the text, as for captions; `bottom`, `place`, `highlight`, `words`, `motion`, `maxWords` and `maxWidth` have no effect here."""

    preset: NotRequired[Literal["clean", "bold-pop", "karaoke", "karaoke-box", "impact", "build", "typewriter", "label", "neon", "headline"]]
    """Name of a style in the catalogue of caption styles. It sets the fields that this object does not have."""
    fontSize: NotRequired[int]
    """Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Distance from the bottom edge to the text, in pixels of the output."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[BaseVideoMixOptionsCoverTitleStyleFontName | str]
    """Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """Weight of the letters."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred."""
    shadow: NotRequired[int]
    """Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it."""
    radius: NotRequired[int]
    """Corner radius of the box, in hundredths of an em."""
    highlight: NotRequired[BaseVideoMixOptionsCoverTitleStyleHighlight]
    words: NotRequired[Literal["line", "one", "grow"]]
    """The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption."""
    motion: NotRequired[Literal["none", "fade", "pop", "rise", "typewriter"]]
    """How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word."""
    uppercase: NotRequired[bool]
    """Shows the text in capitals, as far as the fonts have them. Times do not change."""
    maxWords: NotRequired[int]
    """The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words."""
    maxWidth: NotRequired[float]
    """The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons."""


class BaseVideoMixOptionsCoverTitle(TypedDict):
    """A text in the middle of the cover."""

    text: str
    """The text. Lines break at its line breaks and wherever they would exceed 90 percent of the width."""
    style: NotRequired[BaseVideoMixOptionsCoverTitleStyle]


class BaseVideoMixOptionsCover(TypedDict):
    """The cover of each output: a frame of it (`at`) or an image (`url`), with a title. Without `at` and `url`, the service chooses a sharp, well-exposed frame."""

    at: NotRequired[float]
    """Time in the output of the frame that becomes the cover, in seconds. A time after the end means the last frame, with a warning."""
    url: NotRequired[str]
    """URL of an image (PNG, JPEG or WebP), in place of `at`. It fills the frame; the rest is cropped."""
    title: NotRequired[BaseVideoMixOptionsCoverTitle]


class BaseVideoMixOptionsEffect(TypedDict):
    """An effect."""

    value: NotRequired[Literal["flash", "strobe", "light-leak", "lens-flare", "rainbow", "sparkle", "bokeh", "snow", "rain", "fog", "confetti", "dream", "lens-blur", "vignette", "spotlight", "cinema-bars", "zoom-pulse", "shake", "ripple", "mirror-tile", "pixelate", "film-grain", "old-film", "vhs", "glitch", "rgb-split", "neon-edges", "comic", "thermal", "duotone"]]
    """Name of an effect in the catalogue. If omitted, no effect is applied."""
    trans: NotRequired[float]
    """Strength in percent."""
    duration: NotRequired[float]
    """Duration in seconds; 0 disables the effect."""
    position: NotRequired[float]
    """Start of the effect, in percent of the length."""


BaseVideoMixOptionsSound = TypedDict(
    "BaseVideoMixOptionsSound",
    {
        "url": str,
        "at": NotRequired[float],
        "volume": NotRequired[int],
        "from": NotRequired[float],
        "duration": NotRequired[float],
    },
)


BaseVideoMixOptionsBackgroundMusicPool = TypedDict(
    "BaseVideoMixOptionsBackgroundMusicPool",
    {
        "url": str,
        "from": NotRequired[float],
        "fileName": NotRequired[str],
        "duration": NotRequired[float],
        "volume": NotRequired[int],
        "fadeIn": NotRequired[float],
        "fadeOut": NotRequired[float],
    },
)


class BaseVideoMixOptionsVoicePoolAudio(TypedDict):
    """The voice-over: a file, or a text to speak."""

    url: NotRequired[str]
    """URL of an audio file, or of a video with audio."""
    text: NotRequired[str]
    """A text to speak, in place of `url`."""
    voice: NotRequired[str]
    """The voice that speaks `text`: a name in the list of voices."""
    speed: NotRequired[float]
    """The speed at which `text` is spoken."""
    start: NotRequired[float]
    """Time at which the voice-over begins, in seconds after the intro. Captions that follow it begin as much later."""
    fileName: NotRequired[str]
    """A name for your own use; it has no effect."""
    duration: NotRequired[float]
    """Use only this many seconds of the file; 0 plays nothing."""
    volume: NotRequired[int]
    """Volume in percent of amplitude."""
    fadeIn: NotRequired[float]
    """Duration of the fade-in, in seconds."""
    fadeOut: NotRequired[float]
    """Duration of the fade-out, in seconds."""


class BaseVideoMixOptionsVoicePoolSubtitleCueWord(TypedDict):
    """A word."""

    start: float
    """Time at which the word begins, in seconds after the intro."""
    end: float
    """Time at which the word ends, in seconds after the intro. It stays highlighted until the next one begins."""
    text: str
    """The word as it is written in the text of the caption."""


class BaseVideoMixOptionsVoicePoolSubtitleCue(TypedDict):
    """A caption."""

    start: float
    """Time at which the caption appears, in seconds after the intro."""
    end: float
    """Time at which the caption disappears, in seconds after the intro."""
    text: str
    """Text of the caption. Lines break at its line breaks and wherever they would be too wide."""
    words: NotRequired[list[BaseVideoMixOptionsVoicePoolSubtitleCueWord]]
    """Words of the text with the times at which they are spoken, for `highlight`."""


BaseVideoMixOptionsVoicePoolSubtitleStyleFontName: TypeAlias = Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]


class BaseVideoMixOptionsVoicePoolSubtitleStyleHighlight(TypedDict):
    """Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words."""

    color: NotRequired[str]
    """Colour of the spoken word."""
    box: NotRequired[str]
    """Colour of a box behind the spoken word. `radius` rounds its corners."""
    scale: NotRequired[float]
    """Size of the spoken word, relative to the other words. Nothing else moves."""


class BaseVideoMixOptionsVoicePoolSubtitleStyle(TypedDict):
    """Style of the text."""

    preset: NotRequired[Literal["clean", "bold-pop", "karaoke", "karaoke-box", "impact", "build", "typewriter", "label", "neon", "headline"]]
    """Name of a style in the catalogue of caption styles. It sets the fields that this object does not have."""
    fontSize: NotRequired[int]
    """Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Distance from the bottom edge to the text, in pixels of the output."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[BaseVideoMixOptionsVoicePoolSubtitleStyleFontName | str]
    """Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """Weight of the letters."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred."""
    shadow: NotRequired[int]
    """Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it."""
    radius: NotRequired[int]
    """Corner radius of the box, in hundredths of an em."""
    highlight: NotRequired[BaseVideoMixOptionsVoicePoolSubtitleStyleHighlight]
    words: NotRequired[Literal["line", "one", "grow"]]
    """The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption."""
    motion: NotRequired[Literal["none", "fade", "pop", "rise", "typewriter"]]
    """How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word."""
    uppercase: NotRequired[bool]
    """Shows the text in capitals, as far as the fonts have them. Times do not change."""
    maxWords: NotRequired[int]
    """The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words."""
    maxWidth: NotRequired[float]
    """The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons."""


BaseVideoMixOptionsVoicePoolSubtitle = TypedDict(
    "BaseVideoMixOptionsVoicePoolSubtitle",
    {
        "url": NotRequired[str],
        "text": NotRequired[str],
        "timing": NotRequired[Literal["voice", "even"]],
        "from": NotRequired[Literal["voice", "clips"]],
        "cues": NotRequired[list[BaseVideoMixOptionsVoicePoolSubtitleCue]],
        "fileName": NotRequired[str],
        "style": NotRequired[BaseVideoMixOptionsVoicePoolSubtitleStyle],
    },
)


class BaseVideoMixOptionsVoicePool(TypedDict):
    """A voice-over and its captions."""

    audio: BaseVideoMixOptionsVoicePoolAudio
    subtitle: NotRequired[BaseVideoMixOptionsVoicePoolSubtitle]


class BaseVideoMixOptions(TypedDict):
    """Options; each has a default."""

    preset: NotRequired[Literal["draft", "standard", "high"]]
    """Encoding effort: `draft` is the fastest, `high` gives the best quality. The default is set by the installation, usually `standard`."""
    resolution: NotRequired[Literal["720:1280", "1080:1920", "1280:720", "1920:1080", "1080:1080", "1080:1350", "720:720"]]
    """Width and height of the output."""
    resolutionMode: NotRequired[Literal["none", "crop", "stretch"]]
    """How a clip of another shape is scaled: `none` shows all of it with bars, `crop` fills the frame and crops, `stretch` distorts."""
    background: NotRequired[BaseVideoMixOptionsBackgroundName | str]
    """Background of a clip that does not fill the frame or is transparent: black, a blurred copy of the clip, or a colour (#RRGGBB)."""
    look: NotRequired[Literal["none", "random", "warm", "cool", "teal-orange", "faded", "vivid", "mono", "noir", "sepia", "forest", "rose", "dusk", "bleach", "film"]]
    """Colour look of the clips, but not of intros and outros: a name in the catalogue of looks; `random` draws one for each output."""
    fps: NotRequired[Literal[25, 30, 50, 60]]
    """Frame rate of the output, in frames per second."""
    length: NotRequired[Literal["clips", "voice"]]
    """What determines the length of an output. `clips`: its clips or scenes; `voice`: its voice-over and `tail`. Clips of `baseVideoMix` are then shown in turn until the voice ends; scenes of `proVideoMix` become longer or shorter."""
    tail: NotRequired[float]
    """How long an output continues after its voice-over, with `length: "voice"`."""
    clipSeconds: NotRequired[float]
    """The maximum length of one showing of a clip. Longer clips continue the next time if they are shown again."""
    originalVolume: NotRequired[int]
    """Volume of the clips' own audio in percent."""
    ducking: NotRequired[bool]
    """Lowers the music during speech."""
    loudness: NotRequired[float]
    """Normalizes the mix to this loudness in LUFS (EBU R128)."""
    fadeOut: NotRequired[float]
    """Duration of a fade-out of the whole mix at the end of the video, in seconds."""
    backgroundMusic: NotRequired[BaseVideoMixOptionsBackgroundMusic]
    audio: NotRequired[BaseVideoMixOptionsAudio]
    subtitle: NotRequired[BaseVideoMixOptionsSubtitle]
    imageMotion: NotRequired[Literal["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]]
    """Motion of images used as clips: zoom in or out, or pan left or right; `random` chooses one for each image."""
    introPool: NotRequired[list[BaseVideoMixOptionsIntroPool]]
    """Intro clips, shown before everything else. Each output uses one; all are used before any is repeated."""
    outroPool: NotRequired[list[BaseVideoMixOptionsOutroPool]]
    """Outro clips, shown after everything else. Each output uses one; all are used before any is repeated."""
    transition: NotRequired[BaseVideoMixOptionsTransition]
    overlays: NotRequired[list[BaseVideoMixOptionsOverlay]]
    """Images, videos and texts above the clips and below the captions: images and videos in this order, then the texts. At most 3 are videos."""
    cover: NotRequired[BaseVideoMixOptionsCover]
    effects: NotRequired[list[BaseVideoMixOptionsEffect]]
    """Effects during parts of the output, above the clips and below overlays and captions."""
    sounds: NotRequired[list[BaseVideoMixOptionsSound]]
    """Sounds that are played once, such as a whoosh or a click."""
    backgroundMusicPool: NotRequired[list[BaseVideoMixOptionsBackgroundMusicPool]]
    """Several music files instead of `backgroundMusic`. Each output uses one; all are used before any is repeated."""
    voicePool: NotRequired[list[BaseVideoMixOptionsVoicePool]]
    """Voice-overs with their captions, instead of `audio` and `subtitle`. Each output uses one; all are used before any is repeated."""


BaseVideoMixVideoVideoSecond = TypedDict(
    "BaseVideoMixVideoVideoSecond",
    {
        "url": str,
        "from": NotRequired[float],
        "to": NotRequired[float],
    },
)


BaseVideoMixVideoVideo = TypedDict(
    "BaseVideoMixVideoVideo",
    {
        "url": str,
        "duration": NotRequired[float],
        "volume": NotRequired[int],
        "speed": NotRequired[float],
        "look": NotRequired[Literal["none", "random", "warm", "cool", "teal-orange", "faded", "vivid", "mono", "noir", "sepia", "forest", "rose", "dusk", "bleach", "film"]],
        "imageMotion": NotRequired[Literal["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]],
        "from": NotRequired[float],
        "to": NotRequired[float],
        "layout": NotRequired[Literal["left-right", "top-bottom"]],
        "second": NotRequired[BaseVideoMixVideoVideoSecond],
        "sceneName": NotRequired[str],
    },
)


class BaseVideoMixVideo(TypedDict):
    """One group."""

    videos: list[BaseVideoMixVideoVideo]
    """Clips of the group, in order."""
    totalDuration: NotRequired[float]
    """Trims the output to this many seconds; a shorter output is not changed."""


class BaseVideoMixParams(TypedDict):
    """Parameters of the task."""

    seed: NotRequired[int]
    """Seed of all random choices. If omitted, a random seed is used."""
    options: NotRequired[BaseVideoMixOptions]
    videoList: list[BaseVideoMixVideo]
    """Groups of clips; each group produces one output."""
    isShortest: NotRequired[bool]
    """Trims every clip of a group to the length of the shortest clip."""


class BaseVideoMixRequest(TypedDict):
    taskType: Literal["baseVideoMix"]
    """Type of the task; it determines the structure of `params`."""
    params: BaseVideoMixParams
    callbackUrl: NotRequired[str]
    """URL that receives one callback when the task has reached a final state."""
    clientTaskId: NotRequired[str]
    """Your own ID for this job (idempotency key). Sending the same body with the same ID again returns the existing task and costs nothing."""
    name: NotRequired[str]
    """Name of the task, for use in `list`. It affects neither the videos nor the comparison with earlier requests."""
    labels: NotRequired[list[str]]
    """Up to ten labels, for use in `list`."""
    maxPoints: NotRequired[int]
    """Maximum price of the task. A submission with a higher estimate fails with 40201; a task with a higher confirmed price is rejected."""


ProVideoMixOptionsBackgroundName: TypeAlias = Literal["black", "blur"]


ProVideoMixOptionsBackgroundMusic = TypedDict(
    "ProVideoMixOptionsBackgroundMusic",
    {
        "url": NotRequired[str],
        "from": NotRequired[float],
        "fileName": NotRequired[str],
        "duration": NotRequired[float],
        "volume": NotRequired[int],
        "fadeIn": NotRequired[float],
        "fadeOut": NotRequired[float],
    },
)


class ProVideoMixOptionsAudio(TypedDict):
    """Voice-over that plays once from the start: a file, or a text to speak."""

    url: NotRequired[str]
    """URL of an audio file, or of a video with audio. Without `url` and `text`, nothing plays."""
    text: NotRequired[str]
    """A text to speak, in place of `url`."""
    voice: NotRequired[str]
    """The voice that speaks `text`: a name in the list of voices."""
    speed: NotRequired[float]
    """The speed at which `text` is spoken."""
    start: NotRequired[float]
    """Time at which the voice-over begins, in seconds after the intro. Captions that follow it begin as much later."""
    fileName: NotRequired[str]
    """A name for your own use; it has no effect."""
    duration: NotRequired[float]
    """Use only this many seconds of the file; 0 plays nothing."""
    volume: NotRequired[int]
    """Volume in percent of amplitude."""
    fadeIn: NotRequired[float]
    """Duration of the fade-in, in seconds."""
    fadeOut: NotRequired[float]
    """Duration of the fade-out, in seconds."""


class ProVideoMixOptionsSubtitleCueWord(TypedDict):
    """A word."""

    start: float
    """Time at which the word begins, in seconds after the intro."""
    end: float
    """Time at which the word ends, in seconds after the intro. It stays highlighted until the next one begins."""
    text: str
    """The word as it is written in the text of the caption."""


class ProVideoMixOptionsSubtitleCue(TypedDict):
    """A caption."""

    start: float
    """Time at which the caption appears, in seconds after the intro."""
    end: float
    """Time at which the caption disappears, in seconds after the intro."""
    text: str
    """Text of the caption. Lines break at its line breaks and wherever they would be too wide."""
    words: NotRequired[list[ProVideoMixOptionsSubtitleCueWord]]
    """Words of the text with the times at which they are spoken, for `highlight`."""


ProVideoMixOptionsSubtitleStyleFontName: TypeAlias = Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]


class ProVideoMixOptionsSubtitleStyleHighlight(TypedDict):
    """Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words."""

    color: NotRequired[str]
    """Colour of the spoken word."""
    box: NotRequired[str]
    """Colour of a box behind the spoken word. `radius` rounds its corners."""
    scale: NotRequired[float]
    """Size of the spoken word, relative to the other words. Nothing else moves."""


class ProVideoMixOptionsSubtitleStyle(TypedDict):
    """Style of the text."""

    preset: NotRequired[Literal["clean", "bold-pop", "karaoke", "karaoke-box", "impact", "build", "typewriter", "label", "neon", "headline"]]
    """Name of a style in the catalogue of caption styles. It sets the fields that this object does not have."""
    fontSize: NotRequired[int]
    """Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Distance from the bottom edge to the text, in pixels of the output."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[ProVideoMixOptionsSubtitleStyleFontName | str]
    """Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """Weight of the letters."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred."""
    shadow: NotRequired[int]
    """Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it."""
    radius: NotRequired[int]
    """Corner radius of the box, in hundredths of an em."""
    highlight: NotRequired[ProVideoMixOptionsSubtitleStyleHighlight]
    words: NotRequired[Literal["line", "one", "grow"]]
    """The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption."""
    motion: NotRequired[Literal["none", "fade", "pop", "rise", "typewriter"]]
    """How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word."""
    uppercase: NotRequired[bool]
    """Shows the text in capitals, as far as the fonts have them. Times do not change."""
    maxWords: NotRequired[int]
    """The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words."""
    maxWidth: NotRequired[float]
    """The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons."""


ProVideoMixOptionsSubtitle = TypedDict(
    "ProVideoMixOptionsSubtitle",
    {
        "url": NotRequired[str],
        "text": NotRequired[str],
        "timing": NotRequired[Literal["voice", "even"]],
        "from": NotRequired[Literal["voice", "clips"]],
        "cues": NotRequired[list[ProVideoMixOptionsSubtitleCue]],
        "fileName": NotRequired[str],
        "style": NotRequired[ProVideoMixOptionsSubtitleStyle],
    },
)


class ProVideoMixOptionsIntroPool(TypedDict):
    """An intro."""

    url: str
    """URL of the clip."""


class ProVideoMixOptionsOutroPool(TypedDict):
    """An outro."""

    url: str
    """URL of the clip."""


class ProVideoMixOptionsTransition(TypedDict):
    """Transitions between clips. Clips overlap, so the output is shorter by the overlaps."""

    names: list[Literal["fade", "fadeblack", "fadewhite", "fadegrays", "dissolve", "pixelize", "hblur", "slideleft", "slideright", "slideup", "slidedown", "zoomthrough", "whippan", "spin", "glitch", "wipeleft", "wiperight", "wipeup", "wipedown", "smoothleft", "smoothright", "smoothup", "smoothdown", "circleopen", "circleclose", "circlecrop", "rectcrop", "vertopen", "vertclose", "horzopen", "horzclose", "radial", "diagtl", "diagbr", "hlslice", "hrslice", "vuslice", "vdslice", "squeezeh", "squeezev"]]
    """Names in the catalogue. One is chosen at random for each cut; all are used before any is repeated."""
    duration: NotRequired[float]
    """Overlap of two clips in seconds; less if a clip is too short."""


class ProVideoMixOptionsOverlayKey(TypedDict):
    """Makes one colour of the video transparent (green screen) and removes its reflection from the rest."""

    color: str
    """The colour that becomes transparent, such as the green of a screen. It must not be a grey."""
    tolerance: NotRequired[float]
    """How much a pixel may differ from the colour and still be fully transparent, in percent of the way from the colour to one that has none of it."""
    softness: NotRequired[float]
    """The part of the rest of that way over which pixels become opaque, in percent: 100 keeps edges exactly as soft as they are, 0 makes them hard."""


ProVideoMixOptionsOverlayPlaceName: TypeAlias = Literal["top-left", "top", "top-right", "left", "middle", "right", "bottom-left", "bottom", "bottom-right"]


class ProVideoMixOptionsOverlayPlace(TypedDict):
    x: float
    """Distance of the centre from the left edge, in percent of the output's width."""
    y: float
    """Distance of the centre from the top edge, in percent of the output's height."""


ProVideoMixOptionsOverlayStyleFontName: TypeAlias = Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]


class ProVideoMixOptionsOverlayStyleHighlight(TypedDict):
    """Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words."""

    color: NotRequired[str]
    """Colour of the spoken word."""
    box: NotRequired[str]
    """Colour of a box behind the spoken word. `radius` rounds its corners."""
    scale: NotRequired[float]
    """Size of the spoken word, relative to the other words. Nothing else moves."""


class ProVideoMixOptionsOverlayStyle(TypedDict):
    """Style of the text, as for captions; `bottom`, `place`, `highlight`, `words`, `motion`, `maxWords` and `maxWidth` have no effect here."""

    preset: NotRequired[Literal["clean", "bold-pop", "karaoke", "karaoke-box", "impact", "build", "typewriter", "label", "neon", "headline"]]
    """Name of a style in the catalogue of caption styles. It sets the fields that this object does not have."""
    fontSize: NotRequired[int]
    """Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Distance from the bottom edge to the text, in pixels of the output."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[ProVideoMixOptionsOverlayStyleFontName | str]
    """Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """Weight of the letters."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred."""
    shadow: NotRequired[int]
    """Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it."""
    radius: NotRequired[int]
    """Corner radius of the box, in hundredths of an em."""
    highlight: NotRequired[ProVideoMixOptionsOverlayStyleHighlight]
    words: NotRequired[Literal["line", "one", "grow"]]
    """The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption."""
    motion: NotRequired[Literal["none", "fade", "pop", "rise", "typewriter"]]
    """How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word."""
    uppercase: NotRequired[bool]
    """Shows the text in capitals, as far as the fonts have them. Times do not change."""
    maxWords: NotRequired[int]
    """The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words."""
    maxWidth: NotRequired[float]
    """The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons."""


class ProVideoMixOptionsOverlay(TypedDict):
    """An image, a video or a text."""

    type: Literal["image", "video", "text"]
    """Type of the overlay."""
    url: NotRequired[str]
    """URL of the file. For an image: PNG, JPEG or WebP, with or without alpha; of an animated image, the first frame is shown. For a video: a video file, an animated GIF, PNG or WebP, at most 3840 pixels on its long side."""
    width: NotRequired[float]
    """Width of the image or video in percent of the output's width; less if it would be taller than the output."""
    opacity: NotRequired[float]
    """Opacity of the image or video, multiplied by its own alpha."""
    loop: NotRequired[bool]
    """Whether the video repeats until `end`. Otherwise it disappears when it ends."""
    volume: NotRequired[int]
    """Volume of the video's own audio, in percent of amplitude."""
    key: NotRequired[ProVideoMixOptionsOverlayKey]
    text: NotRequired[str]
    """The text. Lines break at its line breaks and wherever they would exceed `maxWidth`."""
    texts: NotRequired[list[str]]
    """Several texts instead of `text`. Each output uses one; all are used before any is repeated."""
    maxWidth: NotRequired[float]
    """Maximum width of a line, in percent of the output's width."""
    place: NotRequired[ProVideoMixOptionsOverlayPlaceName | ProVideoMixOptionsOverlayPlace]
    """Position: a corner, the middle of an edge or of the frame, or `{x, y}` for its centre. An overlay is always fully inside the frame."""
    margin: NotRequired[float]
    """Distance from the nearest edges, in percent of the output's short side. It does not apply to `{x, y}`."""
    start: NotRequired[float]
    """Time in the output at which the overlay appears, in seconds."""
    end: NotRequired[float]
    """Time in the output at which the overlay disappears, in seconds."""
    enter: NotRequired[Literal["none", "fade", "pop", "slide-left", "slide-right", "slide-up", "slide-down"]]
    """Motion with which the overlay appears. A slide moves in the direction of its name, from outside the frame."""
    enterSeconds: NotRequired[float]
    """Length of that motion in seconds."""
    leave: NotRequired[Literal["none", "fade", "pop", "slide-left", "slide-right", "slide-up", "slide-down"]]
    """Motion with which the overlay disappears. A slide moves in the direction of its name, out of the frame."""
    leaveSeconds: NotRequired[float]
    """Length of that motion in seconds. If both motions together are longer than the overlay is shown, both are shortened in proportion, with a warning."""
    style: NotRequired[ProVideoMixOptionsOverlayStyle]


ProVideoMixOptionsCoverTitleStyleFontName: TypeAlias = Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]


class ProVideoMixOptionsCoverTitleStyleHighlight(TypedDict):
    """Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words."""

    color: NotRequired[str]
    """Colour of the spoken word."""
    box: NotRequired[str]
    """Colour of a box behind the spoken word. `radius` rounds its corners."""
    scale: NotRequired[float]
    """Size of the spoken word, relative to the other words. Nothing else moves."""


class ProVideoMixOptionsCoverTitleStyle(TypedDict):
    """Style of the text, as for captions; `bottom`, `place`, `highlight`, `words`, `motion`, `maxWords` and `maxWidth` have no effect here."""

    preset: NotRequired[Literal["clean", "bold-pop", "karaoke", "karaoke-box", "impact", "build", "typewriter", "label", "neon", "headline"]]
    """Name of a style in the catalogue of caption styles. It sets the fields that this object does not have."""
    fontSize: NotRequired[int]
    """Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Distance from the bottom edge to the text, in pixels of the output."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[ProVideoMixOptionsCoverTitleStyleFontName | str]
    """Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """Weight of the letters."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred."""
    shadow: NotRequired[int]
    """Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it."""
    radius: NotRequired[int]
    """Corner radius of the box, in hundredths of an em."""
    highlight: NotRequired[ProVideoMixOptionsCoverTitleStyleHighlight]
    words: NotRequired[Literal["line", "one", "grow"]]
    """The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption."""
    motion: NotRequired[Literal["none", "fade", "pop", "rise", "typewriter"]]
    """How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word."""
    uppercase: NotRequired[bool]
    """Shows the text in capitals, as far as the fonts have them. Times do not change."""
    maxWords: NotRequired[int]
    """The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words."""
    maxWidth: NotRequired[float]
    """The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons."""


class ProVideoMixOptionsCoverTitle(TypedDict):
    """A text in the middle of the cover."""

    text: str
    """The text. Lines break at its line breaks and wherever they would exceed 90 percent of the width."""
    style: NotRequired[ProVideoMixOptionsCoverTitleStyle]


class ProVideoMixOptionsCover(TypedDict):
    """The cover of each output: a frame of it (`at`) or an image (`url`), with a title. Without `at` and `url`, the service chooses a sharp, well-exposed frame."""

    at: NotRequired[float]
    """Time in the output of the frame that becomes the cover, in seconds. A time after the end means the last frame, with a warning."""
    url: NotRequired[str]
    """URL of an image (PNG, JPEG or WebP), in place of `at`. It fills the frame; the rest is cropped."""
    title: NotRequired[ProVideoMixOptionsCoverTitle]


class ProVideoMixOptionsEffect(TypedDict):
    """An effect."""

    value: NotRequired[Literal["flash", "strobe", "light-leak", "lens-flare", "rainbow", "sparkle", "bokeh", "snow", "rain", "fog", "confetti", "dream", "lens-blur", "vignette", "spotlight", "cinema-bars", "zoom-pulse", "shake", "ripple", "mirror-tile", "pixelate", "film-grain", "old-film", "vhs", "glitch", "rgb-split", "neon-edges", "comic", "thermal", "duotone"]]
    """Name of an effect in the catalogue. If omitted, no effect is applied."""
    trans: NotRequired[float]
    """Strength in percent."""
    duration: NotRequired[float]
    """Duration in seconds; 0 disables the effect."""
    position: NotRequired[float]
    """Start of the effect, in percent of the length."""


ProVideoMixOptionsSound = TypedDict(
    "ProVideoMixOptionsSound",
    {
        "url": str,
        "at": NotRequired[float],
        "volume": NotRequired[int],
        "from": NotRequired[float],
        "duration": NotRequired[float],
    },
)


ProVideoMixOptionsBackgroundMusicPool = TypedDict(
    "ProVideoMixOptionsBackgroundMusicPool",
    {
        "url": str,
        "from": NotRequired[float],
        "fileName": NotRequired[str],
        "duration": NotRequired[float],
        "volume": NotRequired[int],
        "fadeIn": NotRequired[float],
        "fadeOut": NotRequired[float],
    },
)


class ProVideoMixOptionsVoicePoolAudio(TypedDict):
    """The voice-over: a file, or a text to speak."""

    url: NotRequired[str]
    """URL of an audio file, or of a video with audio."""
    text: NotRequired[str]
    """A text to speak, in place of `url`."""
    voice: NotRequired[str]
    """The voice that speaks `text`: a name in the list of voices."""
    speed: NotRequired[float]
    """The speed at which `text` is spoken."""
    start: NotRequired[float]
    """Time at which the voice-over begins, in seconds after the intro. Captions that follow it begin as much later."""
    fileName: NotRequired[str]
    """A name for your own use; it has no effect."""
    duration: NotRequired[float]
    """Use only this many seconds of the file; 0 plays nothing."""
    volume: NotRequired[int]
    """Volume in percent of amplitude."""
    fadeIn: NotRequired[float]
    """Duration of the fade-in, in seconds."""
    fadeOut: NotRequired[float]
    """Duration of the fade-out, in seconds."""


class ProVideoMixOptionsVoicePoolSubtitleCueWord(TypedDict):
    """A word."""

    start: float
    """Time at which the word begins, in seconds after the intro."""
    end: float
    """Time at which the word ends, in seconds after the intro. It stays highlighted until the next one begins."""
    text: str
    """The word as it is written in the text of the caption."""


class ProVideoMixOptionsVoicePoolSubtitleCue(TypedDict):
    """A caption."""

    start: float
    """Time at which the caption appears, in seconds after the intro."""
    end: float
    """Time at which the caption disappears, in seconds after the intro."""
    text: str
    """Text of the caption. Lines break at its line breaks and wherever they would be too wide."""
    words: NotRequired[list[ProVideoMixOptionsVoicePoolSubtitleCueWord]]
    """Words of the text with the times at which they are spoken, for `highlight`."""


ProVideoMixOptionsVoicePoolSubtitleStyleFontName: TypeAlias = Literal["noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr", "noto-sans", "noto-sans-display", "noto-serif-sc", "noto-serif-tc", "noto-serif-jp", "noto-serif-kr", "noto-serif", "noto-serif-display"]


class ProVideoMixOptionsVoicePoolSubtitleStyleHighlight(TypedDict):
    """Highlights each word while it is spoken, by at least one of `color`, `box` and `scale`. Times come from the cues if they have word times; otherwise they are estimated from the lengths of the words."""

    color: NotRequired[str]
    """Colour of the spoken word."""
    box: NotRequired[str]
    """Colour of a box behind the spoken word. `radius` rounds its corners."""
    scale: NotRequired[float]
    """Size of the spoken word, relative to the other words. Nothing else moves."""


class ProVideoMixOptionsVoicePoolSubtitleStyle(TypedDict):
    """Style of the text."""

    preset: NotRequired[Literal["clean", "bold-pop", "karaoke", "karaoke-box", "impact", "build", "typewriter", "label", "neon", "headline"]]
    """Name of a style in the catalogue of caption styles. It sets the fields that this object does not have."""
    fontSize: NotRequired[int]
    """Size of the text. `fontSize` times `magnification` is the em height in pixels in an output whose short side is 720 pixels; it scales with the output."""
    fontColor: NotRequired[str]
    """Colour of the text."""
    outlineColor: NotRequired[str]
    """Colour of the outline."""
    backColor: NotRequired[str]
    """Colour of a box behind the text."""
    bottom: NotRequired[int]
    """Distance from the bottom edge to the text, in pixels of the output."""
    magnification: NotRequired[float]
    """Multiplies `fontSize`."""
    font: NotRequired[ProVideoMixOptionsVoicePoolSubtitleStyleFontName | str]
    """Name of a font in the catalogue of fonts, or the URL of an uploaded font file (TTF, OTF or TTC, at most 32 MiB). Other fonts are used for characters that it lacks."""
    weight: NotRequired[Literal["regular", "bold"]]
    """Weight of the letters."""
    place: NotRequired[Literal["bottom", "lower-third", "middle", "top"]]
    """Vertical position of the text. `bottom` and `top`: `bottom` pixels from that edge; `lower-third`: centred on the line one third above the bottom; `middle`: centred."""
    shadow: NotRequired[int]
    """Offset of a black shadow to the right and down, in hundredths of an em; 0 disables it."""
    radius: NotRequired[int]
    """Corner radius of the box, in hundredths of an em."""
    highlight: NotRequired[ProVideoMixOptionsVoicePoolSubtitleStyleHighlight]
    words: NotRequired[Literal["line", "one", "grow"]]
    """The words that are shown at a time. `line`: all words of the caption; `one`: the spoken one, or as many as are spoken within 0.25 s; `grow`: those that have been spoken, in their places in the whole caption."""
    motion: NotRequired[Literal["none", "fade", "pop", "rise", "typewriter"]]
    """How each caption appears, or each word with `words: "one"` and `"grow"`. A motion takes at most half of the time of its caption or word."""
    uppercase: NotRequired[bool]
    """Shows the text in capitals, as far as the fonts have them. Times do not change."""
    maxWords: NotRequired[int]
    """The maximum number of words that are shown at a time. A longer caption is shown as several, each with the time of its words."""
    maxWidth: NotRequired[float]
    """The maximum width of a line, its box included, in percent of the output's width. Apps for short videos cover the right edge of portrait videos with icons."""


ProVideoMixOptionsVoicePoolSubtitle = TypedDict(
    "ProVideoMixOptionsVoicePoolSubtitle",
    {
        "url": NotRequired[str],
        "text": NotRequired[str],
        "timing": NotRequired[Literal["voice", "even"]],
        "from": NotRequired[Literal["voice", "clips"]],
        "cues": NotRequired[list[ProVideoMixOptionsVoicePoolSubtitleCue]],
        "fileName": NotRequired[str],
        "style": NotRequired[ProVideoMixOptionsVoicePoolSubtitleStyle],
    },
)


class ProVideoMixOptionsVoicePool(TypedDict):
    """A voice-over and its captions."""

    audio: ProVideoMixOptionsVoicePoolAudio
    subtitle: NotRequired[ProVideoMixOptionsVoicePoolSubtitle]


class ProVideoMixOptions(TypedDict):
    """Options; each has a default."""

    preset: NotRequired[Literal["draft", "standard", "high"]]
    """Encoding effort: `draft` is the fastest, `high` gives the best quality. The default is set by the installation, usually `standard`."""
    clipStart: NotRequired[Literal["begin", "random", "shots"]]
    """Where in their files clips start. `begin`: with the first frame; `random`: at random positions, chosen so that outputs share as little footage as possible; `shots`: likewise, but at detected cuts. `shots` avoids black, frozen and blurred footage as long as there is other footage."""
    isShortest: NotRequired[bool]
    """Trims every scene of an output to the length of its shortest scene."""
    resolution: NotRequired[Literal["720:1280", "1080:1920", "1280:720", "1920:1080", "1080:1080", "1080:1350", "720:720"]]
    """Width and height of the output."""
    resolutionMode: NotRequired[Literal["none", "crop", "stretch"]]
    """How a clip of another shape is scaled: `none` shows all of it with bars, `crop` fills the frame and crops, `stretch` distorts."""
    background: NotRequired[ProVideoMixOptionsBackgroundName | str]
    """Background of a clip that does not fill the frame or is transparent: black, a blurred copy of the clip, or a colour (#RRGGBB)."""
    look: NotRequired[Literal["none", "random", "warm", "cool", "teal-orange", "faded", "vivid", "mono", "noir", "sepia", "forest", "rose", "dusk", "bleach", "film"]]
    """Colour look of the clips, but not of intros and outros: a name in the catalogue of looks; `random` draws one for each output."""
    fps: NotRequired[Literal[25, 30, 50, 60]]
    """Frame rate of the output, in frames per second."""
    length: NotRequired[Literal["clips", "voice"]]
    """What determines the length of an output. `clips`: its clips or scenes; `voice`: its voice-over and `tail`. Clips of `baseVideoMix` are then shown in turn until the voice ends; scenes of `proVideoMix` become longer or shorter."""
    tail: NotRequired[float]
    """How long an output continues after its voice-over, with `length: "voice"`."""
    clipSeconds: NotRequired[float]
    """The maximum length of one showing of a clip. Longer clips continue the next time if they are shown again."""
    originalVolume: NotRequired[int]
    """Volume of the clips' own audio in percent."""
    ducking: NotRequired[bool]
    """Lowers the music during speech."""
    loudness: NotRequired[float]
    """Normalizes the mix to this loudness in LUFS (EBU R128)."""
    fadeOut: NotRequired[float]
    """Duration of a fade-out of the whole mix at the end of the video, in seconds."""
    backgroundMusic: NotRequired[ProVideoMixOptionsBackgroundMusic]
    audio: NotRequired[ProVideoMixOptionsAudio]
    subtitle: NotRequired[ProVideoMixOptionsSubtitle]
    imageMotion: NotRequired[Literal["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]]
    """Motion of images used as clips: zoom in or out, or pan left or right; `random` chooses one for each image."""
    introPool: NotRequired[list[ProVideoMixOptionsIntroPool]]
    """Intro clips, shown before everything else. Each output uses one; all are used before any is repeated."""
    outroPool: NotRequired[list[ProVideoMixOptionsOutroPool]]
    """Outro clips, shown after everything else. Each output uses one; all are used before any is repeated."""
    transition: NotRequired[ProVideoMixOptionsTransition]
    overlays: NotRequired[list[ProVideoMixOptionsOverlay]]
    """Images, videos and texts above the clips and below the captions: images and videos in this order, then the texts. At most 3 are videos."""
    cover: NotRequired[ProVideoMixOptionsCover]
    effects: NotRequired[list[ProVideoMixOptionsEffect]]
    """Effects during parts of the output, above the clips and below overlays and captions."""
    sounds: NotRequired[list[ProVideoMixOptionsSound]]
    """Sounds that are played once, such as a whoosh or a click."""
    backgroundMusicPool: NotRequired[list[ProVideoMixOptionsBackgroundMusicPool]]
    """Several music files instead of `backgroundMusic`. Each output uses one; all are used before any is repeated."""
    voicePool: NotRequired[list[ProVideoMixOptionsVoicePool]]
    """Voice-overs with their captions, instead of `audio` and `subtitle`. Each output uses one; all are used before any is repeated."""


ProVideoMixSceneResource = TypedDict(
    "ProVideoMixSceneResource",
    {
        "key": NotRequired[str],
        "url": str,
        "duration": NotRequired[float],
        "volume": NotRequired[int],
        "speed": NotRequired[float],
        "look": NotRequired[Literal["none", "random", "warm", "cool", "teal-orange", "faded", "vivid", "mono", "noir", "sepia", "forest", "rose", "dusk", "bleach", "film"]],
        "imageMotion": NotRequired[Literal["none", "zoomIn", "zoomOut", "panLeft", "panRight", "random"]],
        "from": NotRequired[float],
        "to": NotRequired[float],
    },
)


class ProVideoMixSceneAudioResource(TypedDict):
    """One audio file, or a text to speak."""

    url: NotRequired[str]
    """URL of an audio file, or of a video with audio. An entry without `url` and `text` is skipped with a warning."""
    text: NotRequired[str]
    """A text to speak, in place of `url`."""
    voice: NotRequired[str]
    """The voice that speaks `text`: a name in the list of voices."""
    speed: NotRequired[float]
    """The speed at which `text` is spoken."""
    duration: NotRequired[float]
    """Use only this many seconds from the beginning of the file; 0 plays nothing."""
    startTime: NotRequired[float]
    """`split`: seconds after the start of the scene; `merge`: silence before this audio, in seconds."""
    volume: NotRequired[int]
    """Volume in percent of amplitude."""


class ProVideoMixScene(TypedDict):
    """One scene."""

    sceneKey: str
    """Unique key of the scene."""
    sceneName: str
    """Name of the scene."""
    duration: float
    """Length of the scene in seconds. A longer clip is trimmed, a slightly shorter one holds its last frame, a shorter one loops."""
    length: NotRequired[Literal["duration", "voice"]]
    """What determines how long the scene lasts. `duration`: its `duration`; `voice`: its audio, from the start of the scene to the end of the audio. `duration` is then only the declared length."""
    clipStart: NotRequired[Literal["begin", "random", "shots"]]
    """Where in their files the clips of this scene start."""
    resources: list[ProVideoMixSceneResource]
    """Candidate clips; each output uses one."""
    audioResources: NotRequired[list[ProVideoMixSceneAudioResource]]
    """Audio of the scene. If there are several entries, each output uses a random one."""
    text: NotRequired[str]
    """The script of the scene, shown as captions when its audio speaks it, or spread over the scene. `options.subtitle` can set the `style` and `timing` of these captions, but no other captions."""


class FillItem(TypedDict):
    """A part of a clip."""

    resource: int
    """Index into the scene's `resources`."""
    start: float
    """Where it begins, in seconds from the beginning of the file."""
    seconds: float
    """How long it is shown. The last one is cut or continues until the scene ends."""


class ProVideoMixParams(TypedDict):
    """Parameters of the task."""

    seed: NotRequired[int]
    """Seed of all random choices. If omitted, a random seed is used."""
    options: NotRequired[ProVideoMixOptions]
    scenes: list[ProVideoMixScene]
    """Scenes in order. Their total length must not exceed the maximum length of an output."""
    audioMode: Literal["merge", "split"]
    """`split`: the audio of each scene plays within its scene; `merge`: the audio of all scenes is joined into one track from the start."""
    generateCount: NotRequired[int]
    """Number of different videos to make."""
    outputCount: NotRequired[int]
    """Like `generateCount`, for more videos. Set exactly one of the two. An installation can set a lower limit."""
    combinations: NotRequired[list[list[int]]]
    """Combinations to use first: each row has one index into `resources` for each scene. The remaining combinations are chosen at random."""
    starts: NotRequired[list[list[float]]]
    """Where the clips of `combinations` start: one row for each row of `combinations`, in the form of `recipe.starts`."""
    fill: NotRequired[list[list[list[FillItem]]]]
    """Which clips the scenes of `combinations` show one after another: one row for each row of `combinations`, in the form of `recipe.fill`."""


class ProVideoMixRequest(TypedDict):
    taskType: Literal["proVideoMix"]
    """Type of the task; it determines the structure of `params`."""
    params: ProVideoMixParams
    callbackUrl: NotRequired[str]
    """URL that receives one callback when the task has reached a final state."""
    clientTaskId: NotRequired[str]
    """Your own ID for this job (idempotency key). Sending the same body with the same ID again returns the existing task and costs nothing."""
    name: NotRequired[str]
    """Name of the task, for use in `list`. It affects neither the videos nor the comparison with earlier requests."""
    labels: NotRequired[list[str]]
    """Up to ten labels, for use in `list`."""
    maxPoints: NotRequired[int]
    """Maximum price of the task. A submission with a higher estimate fails with 40201; a task with a higher confirmed price is rejected."""


RowFilterName: TypeAlias = Literal["waiting", "made", "refused", "cancelled", "failed"]
"""Selects rows by state; `failed` includes refused rows."""


FoldName: TypeAlias = Literal["fold"]
"""How batches are listed among tasks."""


OptionString: TypeAlias = str | None


class CallbackTestRequest(TypedDict):
    """The address to test, and the event to simulate."""

    url: str
    """Address to send the sample to; checked like a `callbackUrl`."""
    type: NotRequired[EventType | None]


class CaptionStyleCatalogue(TypedDict):
    """The complete catalogue of caption styles."""

    list: list[CaptionStyleEntry]
    total: int


class Catalogue(TypedDict):
    """A complete catalogue."""

    list: list[CatalogueEntry]
    total: int


class ChangedDraft(TypedDict):
    """A change of a draft."""

    name: str
    taskType: NotRequired[TaskTypeName | None]
    body: dict[str, Any]
    """Any object, such as an unfinished request. It is stored as it is. Uploads that it names (`upload://…`) are kept."""
    updateTime: str
    """`updateTime` of the draft that you last read or saved. A newer version is not overwritten."""


class DraftOverview(TypedDict):
    """Draft as listed."""

    draftNo: str
    """`DP` and 26 characters."""
    name: str
    taskType: NotRequired[TaskTypeName | None]
    updateTime: str
    """Identifies the version: it is later with every change."""


class Draft(TypedDict):
    """A draft."""

    draftNo: str
    """`DP` and 26 characters."""
    name: str
    taskType: NotRequired[TaskTypeName | None]
    updateTime: str
    """Identifies the version: it is later with every change."""
    body: dict[str, Any]
    """The unfinished request, as it was saved."""


class FontCatalogue(TypedDict):
    """The complete catalogue of fonts."""

    list: list[FontEntry]
    total: int


class Media(TypedDict):
    """Streams found in an uploaded file."""

    format: str
    video: NotRequired[MediaVideo | None]
    audio: NotRequired[MediaAudio | None]


class NewDraft(TypedDict):
    """A draft to save."""

    name: str
    taskType: NotRequired[TaskTypeName | None]
    body: dict[str, Any]
    """Any object, such as an unfinished request. It is stored as it is. Uploads that it names (`upload://…`) are kept."""


class Output(TypedDict):
    """A delivered output, and the name of its task."""

    url: NotRequired[str | None]
    """Signed link to the file; renewed with each call."""
    coverUrl: NotRequired[str | None]
    """Signed link to a cover image (JPEG)."""
    expiresAt: NotRequired[str | None]
    """When the links stop working."""
    fileExpiresAt: NotRequired[str | None]
    """When the file is deleted."""
    duration: NotRequired[float | None]
    """Seconds."""
    width: NotRequired[int | None]
    """Pixels."""
    height: NotRequired[int | None]
    """Pixels."""
    fps: NotRequired[int | None]
    """Frames per second."""
    sizeBytes: NotRequired[int | None]
    """Size of the file."""
    sha256: NotRequired[str | None]
    """Of the file, lower-case hexadecimal."""
    videoCodec: NotRequired[str | None]
    """`h264`."""
    audioCodec: NotRequired[str | None]
    """`aac`, or null for an output without audio."""
    taskNo: str
    itemNo: int
    """From 1, in the order of the request."""
    taskType: TaskTypeName
    clientTaskId: NotRequired[str | None]
    """Your own ID for the task."""
    name: NotRequired[str | None]
    """Of the task."""
    labels: list[str]
    """Of the task."""
    seed: int
    """Seed that reproduces this output."""


class Probe(TypedDict):
    """A file and the streams found in it."""

    url: str
    media: Media


class Queue(TypedDict):
    """Waiting and running work, and waiting times."""

    paused: bool
    """The queue is paused: no new work starts."""
    pausedSince: NotRequired[str | None]
    pauseReason: NotRequired[str | None]
    """The reason shown to users whose tasks are waiting."""
    oldestAgeSeconds: NotRequired[int | None]
    """How long the oldest ready job has been waiting; null if none is."""
    depth: list[QueueDepth]
    users: list[UserLoad]
    """Users with work that is ready or running."""
    running: list[Running]
    """The longest running first; at most 200."""


class Share(TypedDict):
    """A page that shows outputs of a task."""

    shareId: int
    taskNo: str
    url: NotRequired[str | None]
    """URL of the page; null once the share has expired."""
    items: NotRequired[list[int] | None]
    """Numbers of the items shown; null for all."""
    tasks: NotRequired[list[SharedTask] | None]
    """
    Items shown of each task, if it shows several tasks; `taskNo` and `items` then belong to the task that ended
    last.
    """
    expiresAt: NotRequired[str | None]
    """When it expires; null if it expires with the files."""
    createTime: str
    revoked: bool
    title: NotRequired[str | None]
    """Title of the page."""
    message: NotRequired[str | None]
    """Text above the videos."""
    feedback: bool
    """Whether viewers can pick videos and comment."""


TaskRequest: TypeAlias = VideoDeduplicationRequest | BaseVideoMixRequest | ProVideoMixRequest
"""A request of any kind, distinguished by `taskType`."""


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
    """Letters and digits of any script, `_`, `-`, `.`, and spaces between other characters."""
    type: VariableTypeName
    default: NotRequired[VariableDefault | None]
    label: NotRequired[str | None]
    """Label of the variable in forms."""
    maxLength: NotRequired[int | None]
    """For a text, and for each entry of a list of texts."""
    minItems: NotRequired[int | None]
    """For a list: the minimum number of entries of a value that is not empty."""
    maxItems: NotRequired[int | None]
    """For a list: the maximum number of entries, 100 if absent."""
    minimum: NotRequired[float | None]
    """For a number."""
    maximum: NotRequired[float | None]
    """For a number."""
    choices: NotRequired[list[VariableValue] | None]
    """For a choice."""


class VoiceCatalogue(TypedDict):
    """All voices, and the speech services."""

    list: list[VoiceEntry]
    total: int
    service: NotRequired[str | None]
    """The speech service; null if there is none."""
    pointsPer1000Characters: int
    """Points for 1,000 characters of a text."""
    transcriptionService: NotRequired[str | None]
    """The service that transcribes audio (`subtitle.from`); null if there is none."""
    pointsPerMinute: int
    """Points for a minute of audio that is transcribed."""


class PageDraftOverview(TypedDict):
    """A page of a list, newest first."""

    list: list[DraftOverview]
    total: int
    pageNo: int
    pageSize: int


class PageOutput(TypedDict):
    """A page of a list, newest first."""

    list: list[Output]
    total: int
    pageNo: int
    pageSize: int


VecShare: TypeAlias = list[Share]


class LibraryFile(TypedDict):
    """A file of your library. `media` is null for a file that is not media, such as a subtitle."""

    url: str
    """`upload://…`; URLs of earlier uploads of the same file remain valid."""
    name: NotRequired[str | None]
    kind: NotRequired[MediaKindName | None]
    sizeBytes: int
    sha256: str
    """Lower-case hexadecimal."""
    duration: NotRequired[float | None]
    """Seconds; null for images and files that are not media."""
    media: NotRequired[Media | None]
    fileUrl: str
    """Signed link to the file itself; no key is required."""
    expiresAt: str
    """When that link stops working."""
    thumbnail: NotRequired[str | None]
    """Path of a thumbnail; requires your key. Null for audio and other files without video."""
    createTime: str
    """When it was uploaded."""
    usedTime: NotRequired[str | None]
    """When a task last used it."""


class NewBatch(TypedDict):
    """A batch to submit. Set exactly one of `template` and `request`, and exactly one of `rows` and `csvUrl`."""

    clientBatchId: str
    """
    Your own ID for the batch. Submitting the same batch with the same ID again returns the existing batch and
    costs nothing.
    """
    name: NotRequired[str | None]
    template: NotRequired[str | None]
    """Number of one of your templates."""
    version: NotRequired[int | None]
    """Version of the template; the newest when absent."""
    request: NotRequired[dict[str, Any] | None]
    variables: NotRequired[list[Variable] | None]
    """Declarations of the variables in `request`."""
    rows: NotRequired[list[dict[str, Any]] | None]
    """Values of the variables, one row per task."""
    csvUrl: NotRequired[str | None]
    """One of your uploads with the rows, as CSV. The first line names the variables."""
    partial: NotRequired[bool | None]
    """If true, accepts as many rows as your balance covers, starting with the first; otherwise all rows or none."""
    maxPoints: NotRequired[int | None]
    """
    Maximum price of the whole batch. A batch whose estimate is higher is refused (40201); a row whose confirmed
    price would exceed the limit is rejected.
    """
    callbackUrl: NotRequired[str | None]
    """Called once when the batch has ended. Tasks have their own callbacks, set in the request."""


class NewTemplate(TypedDict):
    """A template to save."""

    name: str
    request: dict[str, Any]
    """
    A request of any kind. `{{name}}` in a string is replaced by that variable's value; a string that is nothing but
    a variable takes the value's type; `\\{{` produces literal braces. A clip whose URL is a variable of type `urls`
    becomes one clip for each entry. An object with `"$if": "{{name}}"` is dropped if the value is empty, false or 0.
    """
    variables: NotRequired[list[Variable] | None]
    """Declarations of all variables in its strings."""
    version: NotRequired[int | None]
    """When you replace a template: the version that you last read. A newer version is not overwritten."""


Submission: TypeAlias = TaskRequest | TemplateUse
"""A request, or one of your templates with values."""


class Template(TypedDict):
    """A template."""

    templateNo: str
    """`TP` and 26 characters."""
    name: str
    version: int
    """Starts at 1 and increases with each change."""
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


class PreviewClip(TypedDict):
    """A request, and the seconds of its outputs to preview."""

    request: Submission
    """The request as it would be submitted. Errors use the same paths."""
    itemNo: NotRequired[int | None]
    """Number of the output."""
    clip: NotRequired[int | None]
    """Clip or scene of the output, from 0; `atSeconds` then counts from its beginning instead of the output's."""
    atSeconds: NotRequired[float | None]
    """Start of the clip; at the latest one second before the end of the output."""
    seconds: NotRequired[float | None]
    """Length of the clip; shorter if the output ends before."""


class Preview(TypedDict):
    """A request, and the frame of its outputs to preview."""

    request: Submission
    """The request as it would be submitted. Errors use the same paths."""
    itemNo: NotRequired[int | None]
    """Number of the output."""
    clip: NotRequired[int | None]
    """
    Clip or scene of the output, from 0; `atSeconds` then counts from its beginning instead of the output's. Other
    clips are not fetched unless they affect the frame.
    """
    atSeconds: NotRequired[float | None]
    """
    A time beyond the end selects the last frame. Default: the middle of the effect or of the first caption,
    otherwise a third of the output.
    """
    width: NotRequired[int | None]
    """Maximum width of the frame, in pixels."""


class Attempt(TypedDict):
    """One delivery attempt."""

    time: str
    """When it began."""
    durationMs: NotRequired[int | None]
    """Milliseconds until the receiver responded or the attempt was abandoned; null if the service stopped meanwhile."""
    status: NotRequired[int | None]
    """HTTP status of the response; null without one."""
    error: NotRequired[str | None]
    """Why it does not count as delivered; null if it does."""
    errorCode: NotRequired[str | None]
    """Stable code of `error`, listed in docs/api/messages.md; null without a text, and for texts of early versions."""
    errorParams: NotRequired[MessageParams | None]


class BatchCallback(TypedDict):
    """The callback of a batch and its delivery so far."""

    url: NotRequired[str | None]
    """The `callbackUrl`."""
    status: CallbackStatus
    """
    `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: will be sent at `nextAttemptTime`;
    `sending`; `delivered`; `failed`: no attempt will follow.
    """
    eventId: NotRequired[str | None]
    """The `webhook-id` of every attempt; null until the task or batch has ended."""
    createTime: NotRequired[str | None]
    """When the task or batch ended."""
    nextAttemptTime: NotRequired[str | None]
    """When the next attempt is due; null if none is."""
    attempts: list[Attempt]
    """The oldest first."""
    batchNo: str
    """Number of the batch."""
    type: NotRequired[BatchEventType | None]


class BatchEstimate(TypedDict):
    """Price and size of a batch."""

    totalRows: int
    totalItems: int
    """Number of output videos in all rows."""
    estimatedDotCount: int
    """Points that would be held."""
    warnings: list[Remark]
    """Paths begin with `/rows/N`, N from 0, followed by the path in the row's request."""


class BatchEvent(TypedDict):
    """An event of a batch."""

    event: str
    """`state` or `progress`."""
    id: str
    """Identifies all events up to this one; a client that reconnects sends it as `Last-Event-ID`."""
    data: Batch


class BatchRow(TypedDict):
    """A row of a batch."""

    row: int
    """From 1."""
    values: dict[str, Any]
    """Its values as submitted."""
    state: RowStateName
    taskNo: NotRequired[str | None]
    """The task created from the row."""
    taskStatus: NotRequired[int | None]
    """State of that task; null once the task has been deleted."""
    completedItems: int
    """Delivered and failed videos of that task."""
    failedItems: int
    taskError: NotRequired[str | None]
    """Summary of the failures in that task."""
    taskErrorCode: NotRequired[str | None]
    """Stable code of `taskError`, listed in docs/api/messages.md; null without a text, and for texts of early versions."""
    taskErrorParams: NotRequired[MessageParams | None]
    error: NotRequired[str | None]
    """Why it never became a task."""
    errorCode: NotRequired[str | None]
    """Stable code of `error`, listed in docs/api/messages.md; null without a text, and for texts of early versions."""
    errorParams: NotRequired[MessageParams | None]


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
    """Whether the batch is paused: no further row becomes a task."""
    progressPercent: int
    """100 only once the batch has ended."""
    etaSeconds: NotRequired[int | None]
    """Estimated seconds remaining, from the batch's own progress so far; null if unknown."""
    totalRows: int
    waitingRows: int
    """Rows that have not become tasks yet."""
    madeRows: int
    """Rows that have become tasks."""
    refusedRows: int
    """Rows that never became tasks because points ran out or the batch was cancelled."""
    totalItems: int
    completedItems: int
    failedItems: int
    estimatedDotCount: int
    """Points held at submission."""
    consumedDotCount: int
    """Points charged so far."""
    createTime: str
    finishTime: NotRequired[str | None]
    downloadUrl: NotRequired[str | None]
    """Signed link to all videos as one zip; no key is required. Null while there is no video, omitted in lists."""
    warnings: list[Remark]


class CallbackTest(TypedDict):
    """How the receiver responded to the sample."""

    eventId: str
    """The `webhook-id` it was sent with."""
    delivered: bool
    """Whether a real callback would count as delivered."""
    attempt: Attempt
    """The attempt as it would appear in the log."""
    warnings: list[Remark]


class Callback(TypedDict):
    """The callback of a task and its delivery so far."""

    url: NotRequired[str | None]
    """The `callbackUrl`."""
    status: CallbackStatus
    """
    `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: will be sent at `nextAttemptTime`;
    `sending`; `delivered`; `failed`: no attempt will follow.
    """
    eventId: NotRequired[str | None]
    """The `webhook-id` of every attempt; null until the task or batch has ended."""
    createTime: NotRequired[str | None]
    """When the task or batch ended."""
    nextAttemptTime: NotRequired[str | None]
    """When the next attempt is due; null if none is."""
    attempts: list[Attempt]
    """The oldest first."""
    taskNo: str
    """Task number."""
    type: NotRequired[EventType | None]


class Delivery(TypedDict):
    """State of a callback."""

    url: NotRequired[str | None]
    """The `callbackUrl`."""
    status: CallbackStatus
    """
    `none`: no `callbackUrl`; `waiting`: the task or batch has not ended; `due`: will be sent at `nextAttemptTime`;
    `sending`; `delivered`; `failed`: no attempt will follow.
    """
    eventId: NotRequired[str | None]
    """The `webhook-id` of every attempt; null until the task or batch has ended."""
    createTime: NotRequired[str | None]
    """When the task or batch ended."""
    nextAttemptTime: NotRequired[str | None]
    """When the next attempt is due; null if none is."""
    attempts: list[Attempt]
    """The oldest first."""


class ItemError(TypedDict):
    code: ErrorCodeName
    """Kind of failure."""
    message: str
    """Cause of the failure, and how to fix it."""
    messageCode: NotRequired[str | None]
    """Stable code of `message`, listed in docs/api/messages.md; null without a text, and for texts of early versions."""
    messageParams: NotRequired[MessageParams | None]
    input: NotRequired[str | None]
    """URL of the file that caused the failure, as sent by the client."""
    retryable: bool
    """Whether sending the same request again may succeed."""
    charged: bool
    """Whether the item was charged despite the failure."""


class Estimate(TypedDict):
    """Price and size of a submission."""

    estimatedDotCount: int
    """Points that would be held."""
    totalItems: int
    """Number of output videos."""
    distinctCombinations: NotRequired[int | None]
    """proVideoMix: distinct combinations of the scenes' resources, at most 2^53−1; else null."""
    uniqueSegments: int
    """Video segments to encode; outputs that share a clip share its segment."""
    outputSeconds: float
    """Total length of all outputs in seconds."""
    mostSimilar: NotRequired[DiversityPair | None]
    warnings: list[Remark]


class Failure(TypedDict):
    """An item that ended without an output."""

    taskNo: str
    itemNo: int
    userName: str
    code: ErrorCodeName
    message: str
    messageCode: NotRequired[str | None]
    """Stable code of `message`, listed in docs/api/messages.md; null without a text, and for texts of early versions."""
    messageParams: NotRequired[MessageParams | None]
    input: NotRequired[str | None]
    retryable: bool
    finishTime: NotRequired[str | None]
    """When the task ended; null while other items of it are still running."""


class Item(TypedDict):
    """One output video. Fields about the finished file are null until it exists."""

    url: NotRequired[str | None]
    """Signed link to the file; renewed with each call."""
    coverUrl: NotRequired[str | None]
    """Signed link to a cover image (JPEG)."""
    expiresAt: NotRequired[str | None]
    """When the links stop working."""
    fileExpiresAt: NotRequired[str | None]
    """When the file is deleted."""
    duration: NotRequired[float | None]
    """Seconds."""
    width: NotRequired[int | None]
    """Pixels."""
    height: NotRequired[int | None]
    """Pixels."""
    fps: NotRequired[int | None]
    """Frames per second."""
    sizeBytes: NotRequired[int | None]
    """Size of the file."""
    sha256: NotRequired[str | None]
    """Of the file, lower-case hexadecimal."""
    videoCodec: NotRequired[str | None]
    """`h264`."""
    audioCodec: NotRequired[str | None]
    """`aac`, or null for an output without audio."""
    itemNo: int
    """From 1, in the order of the request."""
    status: int
    """As for tasks."""
    statusName: StateName
    """The state in words."""
    progressPercent: int
    """As for tasks."""
    seed: int
    """Seed that reproduces this item."""
    recipe: NotRequired[dict[str, Any] | None]
    quality: NotRequired[Quality | None]
    warnings: list[Remark]
    """Warnings about this output."""
    error: NotRequired[ItemError | None]


MessageParams: TypeAlias = dict[str, Union[str, "Message", list[Union[str, "Message"]]]]
"""Values in the text of a message, by name: texts, messages, or lists of these."""


class Message(TypedDict):
    """A text in the language of the request, with its code and parameters."""

    message: str
    """Text in the language of the request."""
    code: NotRequired[str | None]
    """Stable code of the message, listed in docs/api/messages.md; null for messages of early versions."""
    params: NotRequired[MessageParams | None]


class PageTask(TypedDict):
    """A page of tasks, newest first; with `batches=fold` also of batches."""

    list: list[Task]
    batches: NotRequired[list[Batch] | None]
    """
    The batches of this page, newest first, if requested. Tasks and batches fill the page in the order of
    `createTime`.
    """
    total: int
    """Number of tasks, plus batches if they are listed."""
    pageNo: int
    pageSize: int


class Presign(TypedDict):
    """Links for sending a file."""

    uploadId: str
    """ID to send when you confirm the upload."""
    method: str
    """`PUT`"""
    url: NotRequired[str | None]
    """Accepts the whole file as its body; null if the file is sent in parts."""
    sizeBytes: int
    """Exact number of bytes that the link accepts."""
    parts: list[Part]
    """The parts in order; empty if the file is sent whole."""
    expiresAt: str
    """When the links stop working."""
    warnings: list[Remark]


class PointsRecord(TypedDict):
    """
    One record of the ledger. `dotCount` is the signed change of the spendable balance, `amount` the number of points
    concerned. A settlement has an amount but leaves the balance unchanged, because the hold already deducted the
    points.
    """

    recordNo: int
    """Unique in the installation."""
    type: RecordType
    dotCount: int
    """Signed change of the spendable balance."""
    amount: int
    """Points concerned."""
    balanceAfter: int
    """Spendable balance afterwards."""
    taskNo: NotRequired[str | None]
    """Task of the record; null for a grant."""
    batchNo: NotRequired[str | None]
    """Batch of the record, if its rows had not become tasks yet; null otherwise."""
    itemNo: NotRequired[int | None]
    """Item of the record; for a batch of an earlier version, the row."""
    remark: str
    """Reason."""
    remarkCode: NotRequired[str | None]
    """Stable code of `remark`, listed in docs/api/messages.md; null without a text, and for texts of early versions."""
    remarkParams: NotRequired[MessageParams | None]
    createTime: str
    """RFC 3339, UTC."""


class SavedTemplate(TypedDict):
    """A saved template."""

    templateNo: str
    """`TP` and 26 characters."""
    name: str
    version: int
    """Starts at 1 and increases with each change."""
    createTime: str
    updateTime: str
    warnings: list[Remark]


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
    """True if this `clientTaskId` was submitted before; otherwise omitted."""
    warnings: NotRequired[list[Remark]]


class SubmittedBatch(TypedDict):
    """Response to a batch. `duplicate` is only present when the batch existed before."""

    batchNo: str
    """`BP` and 26 characters."""
    estimatedDotCount: int
    """Points held for the batch."""
    totalRows: int
    refusedRows: int
    """Rows rejected because the balance did not cover them."""
    totalItems: int
    """Number of output videos in all rows."""
    duplicate: NotRequired[bool]
    """True if this `clientBatchId` was submitted before; otherwise omitted."""
    warnings: NotRequired[list[Remark]]
    """Paths begin with `/rows/N`, N from 0, followed by the path in the row's request."""


class Task(TypedDict):
    """State of a task; `items` is omitted in lists."""

    taskNo: str
    """Task number."""
    taskType: TaskTypeName
    """Kind of task."""
    status: int
    """0 pending submission, 1 queued, 2 executing, 3 completed, 4 failed, 5 cancelled, 6 rejected."""
    statusName: StateName
    """The state in words."""
    progressPercent: int
    """Completed share of the planned work; never decreases; 100 only when completed."""
    taskId: int
    """Task id."""
    clientTaskId: NotRequired[str | None]
    """Your own ID for the job."""
    name: NotRequired[str | None]
    """Name of the task."""
    labels: list[str]
    """Labels of the task."""
    template: NotRequired[TemplateRef | None]
    totalItems: int
    """Number of output videos."""
    completedItems: int
    """Number of delivered videos."""
    failedItems: int
    """Number of videos that failed."""
    estimatedDotCount: int
    """The confirmed price once it is known."""
    price: NotRequired[int | None]
    """
    The price computed from the probed files, also for a task that was rejected because of it; null until the
    files are probed.
    """
    consumedDotCount: int
    """Points charged so far."""
    queuePosition: NotRequired[int | None]
    """Position among the tasks that have not started; 1 is next."""
    etaSeconds: NotRequired[int | None]
    """
    Estimated seconds remaining. For a queued task, based on the work ahead of it and recent throughput; for an
    executing task, increasingly on its own progress.
    """
    createTime: str
    """RFC 3339, UTC."""
    startTime: NotRequired[str | None]
    """When rendering began."""
    finishTime: NotRequired[str | None]
    """When the task ended."""
    errorMsg: NotRequired[str | None]
    """Summary of the failures."""
    errorMsgCode: NotRequired[str | None]
    """Stable code of `errorMsg`, listed in docs/api/messages.md; null without a text, and for texts of early versions."""
    errorMsgParams: NotRequired[MessageParams | None]
    warnings: list[Remark]
    """Options without effect, wrong declared lengths, and a paused queue while the task waits for it."""
    paused: NotRequired[Pause | None]
    diversity: NotRequired[Diversity | None]
    coverUrl: NotRequired[str | None]
    """
    Signed link to a cover image of the first output that has a file; null while there is none, omitted in live
    events.
    """
    downloadUrl: NotRequired[str | None]
    """
    Signed link to all files as one zip, valid for as long as the links of the items; null while there is no file,
    omitted in lists.
    """
    items: NotRequired[list[Item] | None]
    """The output videos, in order; omitted in lists."""


class UserTask(TypedDict):
    """A task of any user, without links to its files."""

    taskNo: str
    """Task number."""
    taskType: TaskTypeName
    """Kind of task."""
    status: int
    """0 pending submission, 1 queued, 2 executing, 3 completed, 4 failed, 5 cancelled, 6 rejected."""
    statusName: StateName
    """The state in words."""
    progressPercent: int
    """Completed share of the planned work; never decreases; 100 only when completed."""
    taskId: int
    """Task id."""
    clientTaskId: NotRequired[str | None]
    """Your own ID for the job."""
    name: NotRequired[str | None]
    """Name of the task."""
    labels: list[str]
    """Labels of the task."""
    template: NotRequired[TemplateRef | None]
    totalItems: int
    """Number of output videos."""
    completedItems: int
    """Number of delivered videos."""
    failedItems: int
    """Number of videos that failed."""
    estimatedDotCount: int
    """The confirmed price once it is known."""
    price: NotRequired[int | None]
    """
    The price computed from the probed files, also for a task that was rejected because of it; null until the
    files are probed.
    """
    consumedDotCount: int
    """Points charged so far."""
    queuePosition: NotRequired[int | None]
    """Position among the tasks that have not started; 1 is next."""
    etaSeconds: NotRequired[int | None]
    """
    Estimated seconds remaining. For a queued task, based on the work ahead of it and recent throughput; for an
    executing task, increasingly on its own progress.
    """
    createTime: str
    """RFC 3339, UTC."""
    startTime: NotRequired[str | None]
    """When rendering began."""
    finishTime: NotRequired[str | None]
    """When the task ended."""
    errorMsg: NotRequired[str | None]
    """Summary of the failures."""
    errorMsgCode: NotRequired[str | None]
    """Stable code of `errorMsg`, listed in docs/api/messages.md; null without a text, and for texts of early versions."""
    errorMsgParams: NotRequired[MessageParams | None]
    warnings: list[Remark]
    """Options without effect, wrong declared lengths, and a paused queue while the task waits for it."""
    paused: NotRequired[Pause | None]
    diversity: NotRequired[Diversity | None]
    coverUrl: NotRequired[str | None]
    """
    Signed link to a cover image of the first output that has a file; null while there is none, omitted in live
    events.
    """
    downloadUrl: NotRequired[str | None]
    """
    Signed link to all files as one zip, valid for as long as the links of the items; null while there is no file,
    omitted in lists.
    """
    items: NotRequired[list[Item] | None]
    """The output videos, in order; omitted in lists."""
    userId: int
    userName: str
    failures: list[Failure]
    """Items that ended without an output, in their order."""


class Remark(TypedDict):
    """A warning; `path` is a JSON Pointer into the request, empty if the warning concerns the whole."""

    message: str
    """Text in the language of the request."""
    code: NotRequired[str | None]
    """Stable code of the message, listed in docs/api/messages.md; null for messages of early versions."""
    params: NotRequired[MessageParams | None]
    path: str


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


class ErrorAnswer(TypedDict):
    """An error."""

    code: Literal[40000, 40001, 40100, 40101, 40200, 40201, 40300, 40301, 40400, 40401, 40500, 40900, 40901, 40902, 40903, 40904, 40905, 40906, 40907, 40908, 40909, 40910, 40911, 40912, 40913, 41000, 41300, 41500, 42200, 42900, 42901, 42902, 42903, 42904, 42905, 42906, 42907, 50000, 50300, 50301]
    """The first three digits are the HTTP status."""
    msg: str
    """Cause of the failure, and how to fix it."""
    data: ErrorData | None
    """Depends on `code`; null if the error has no data."""


class ErrorData(TypedDict):
    """Details of an error, by its code."""

    errors: NotRequired[list[FieldError]]
    """40001: every field that cannot be accepted."""
    total: NotRequired[int]
    """40001 of a batch: number of all errors, `errors` may list only the first ones."""
    cause: NotRequired[Message]
    """40000, 40909, 42200, 50301: the cause that `msg` contains."""
    needed: NotRequired[int]
    """40200: points that are needed."""
    available: NotRequired[int]
    """40200: points that can be spent."""
    price: NotRequired[int]
    """40201: the estimate."""
    maxPoints: NotRequired[int]
    """40201: the limit of the request."""
    row: NotRequired[int]
    """40201: the row of a batch whose limit is exceeded; 40913: the row that has not failed."""
    scope: NotRequired[str]
    """40300: the scope that the key lacks."""
    reason: NotRequired[str]
    """40301: why the user is disabled."""
    taskNo: NotRequired[str]
    """40900, 40901, 40903, 41000: the task; 40903 of a batch: its number."""
    batchNo: NotRequired[str]
    """40900, 40907, 40913: the batch."""
    status: NotRequired[int]
    """40901, 40907: state of the task or batch."""
    statusName: NotRequired[str]
    """40901, 40907: the state in words."""
    storedBytes: NotRequired[int]
    """40902: bytes that are stored."""
    neededBy: NotRequired[str]
    """40904: number of the task, template or batch that needs the file."""
    updateTime: NotRequired[str]
    """40910: `updateTime` of the stored draft."""
    version: NotRequired[int]
    """40905: newest version of the template."""
    seconds: NotRequired[int]
    """42900, 42903, 42906, 42907: seconds to wait."""
    openTasks: NotRequired[int]
    """42901: tasks that have not ended."""
    openStreams: NotRequired[int]
    """42902: streams that are open."""
    openBatches: NotRequired[int]
    """42904: batches that have not ended."""
    givenUp: NotRequired[int]
    """42905: outputs that were cancelled or rejected within an hour."""
    spokenCharacters: NotRequired[int]
    """42906: characters of texts that you listened to today."""
    limit: NotRequired[int]
    """40902, 40906, 40908, 40911, 42901, 42902, 42904, 42905, 42906: the limit."""


class FieldError(TypedDict):
    """One field that cannot be accepted."""

    path: str
    """JSON Pointer into the body; `/query/…` for a parameter."""
    message: str
    code: str | None
    """Stable code of the message, listed in docs/api/messages.md; null for messages of early versions."""
    params: MessageParams | None
    """Values in the text by name; null without a code."""
    got: Any
    """Value that was sent, shortened when long."""
    allowed: str | None
    """Summary of the allowed values."""
    row: NotRequired[int]
    """For an error in the table of a batch: the row, from 1."""
    column: NotRequired[str | None]
    """For an error in the table of a batch: the column; null if the error does not concern a column."""
