//! The field names of an object in a request: declared once, and used for both reading and writing.
//!
//! Kind, range and default are those of the field's row in [`super::schema`]; only rules that a row cannot express (an
//! option without effect if its file is missing) are checked by a function.

use serde_json::{Map, Value};

use super::model::{
    Anchor, AudioMode, Background, CaptionPlace, CaptionPreset, CaptionTiming, ClipStart, FillMode,
    ImageMotion, LookChoice, MixLength, Motion, OverlayMotion, Rgba, SceneLength, Span, SplitLayout,
    TaskType, TranscribedAudio, TransitionName, Weight, WordDisplay,
};
use super::reader::{Fields, Node};
use super::scalar::Range;
use super::schema::field::Kind;
use crate::encoding::Preset;
use crate::fonts::FontRef;
use crate::media::Size;
use crate::message;
use crate::time::Fps;
use crate::transitions::{NAMES, Transition};

/// An object whose field names are declared by the macro [`form`].
pub(super) trait Form: Sized {
    /// `None` if it is switched off, has no effect, or is invalid, which is reported.
    fn read_fields(fields: &mut Fields) -> Option<Self>;
    fn write_fields(&self, object: &mut Map<String, Value>);
}

/// A value at one place of a request.
pub(super) trait Wire: Sized {
    fn read(node: Node) -> Option<Self>;
    fn write(&self) -> Value;

    /// The value in a task type without this field; `None` if every task type must have it.
    fn unlisted() -> Option<Self> {
        None
    }
}

/// A value as a member of an object, made of one field or several.
pub(super) trait Member: Sized {
    /// The names of its fields.
    type Names: Copy;
    fn take(fields: &mut Fields, names: Self::Names) -> Option<Self>;
    fn put(&self, names: Self::Names, object: &mut Map<String, Value>);
}

/// Declares the field names of a type: `field = "name"`, or several names if a field of the type is made of several.
/// `[switch "name"]`: the object exists only while that field is true. `[check function]`: the function checks the
/// values, and may change or reject them. `[sent function]`: the function removes fields that are not written.
macro_rules! form {
    ($type:ident $([switch $switch:literal])? $([check $check:path])? $([sent $sent:path])? { $($field:ident = $names:expr,)+ }) => {
        impl $crate::request::form::Form for $type {
            fn read_fields(fields: &mut $crate::request::reader::Fields) -> Option<Self> {
                $(fields.switch($switch);)?
                $(let $field = fields.take($names);)+
                fields.check_remarks();
                let read = (|| Some(Self { $($field: $field?,)+ }))();
                $(let read = $check(fields, read);)?
                read.filter(|_| fields.on)
            }

            fn write_fields(&self, object: &mut serde_json::Map<String, serde_json::Value>) {
                use $crate::request::form::Member;
                $(object.insert($switch.to_owned(), true.into());)?
                $(self.$field.put($names, object);)+
                $($sent(self, object);)?
            }
        }
    };
}
pub(super) use form;

impl<'v, 'p> Fields<'v, '_, 'p> {
    /// Reads the fields called `names`, by their rows.
    pub fn take<T: Member>(&mut self, names: T::Names) -> Option<T> {
        T::take(self, names)
    }

    /// Reads a list by its row, skipping entries that `read` rejects.
    pub fn list<T>(&mut self, name: &'static str, read: impl FnMut(Node) -> Option<T>) -> Option<Vec<T>> {
        let (least, most) = match self.row(name).map(|row| row.kind) {
            Some(Kind::Array(least, most)) => (least, most),
            _ => (0, 0),
        };
        let required = self.row(name).is_some_and(|row| row.required);
        let node = if required { self.need(name) } else { self.get(name) };
        match (node.value, least) {
            (None, _) => (!required).then(Vec::new),
            (_, 0) => node.array_or_empty(most, read),
            _ => node.array(most, read),
        }
    }

    /// Sets whether the option with this switch is on.
    pub fn switch(&mut self, name: &'static str) {
        self.on = self.take(name) == Some(true);
    }
}

impl<T: Form> Wire for T {
    fn read(node: Node) -> Option<Self> {
        node.object(T::read_fields).flatten()
    }

    fn write(&self) -> Value {
        let mut object = Map::new();
        self.write_fields(&mut object);
        Value::Object(object)
    }
}

/// Required, or its row's default if it is absent (or invalid, which is reported).
impl<T: Wire> Member for T {
    type Names = &'static str;

    fn take(fields: &mut Fields, name: &'static str) -> Option<Self> {
        let Some(row) = fields.row(name) else { return T::unlisted() };
        let node = if row.required { fields.need(name) } else { fields.get(name) };
        T::read(node).or_else(|| T::read(fields.default(name)))
    }

    fn put(&self, name: &'static str, object: &mut Map<String, Value>) {
        object.insert(name.to_owned(), self.write());
    }
}

impl<T: Wire> Member for Option<T> {
    type Names = &'static str;

    fn take(fields: &mut Fields, name: &'static str) -> Option<Self> {
        // A task type or an object without this field reports it as unknown.
        let Some(row) = fields.row(name) else { return Some(None) };
        Some(T::read(if row.required { fields.need(name) } else { fields.get(name) }))
    }

    fn put(&self, name: &'static str, object: &mut Map<String, Value>) {
        if let Some(value) = self {
            value.put(name, object);
        }
    }
}

/// A list, empty if it is absent.
impl<T: Wire> Member for Vec<T> {
    type Names = &'static str;

    fn take(fields: &mut Fields, name: &'static str) -> Option<Self> {
        fields.list(name, T::read)
    }

    fn put(&self, name: &'static str, object: &mut Map<String, Value>) {
        if !self.is_empty() {
            object.insert(name.to_owned(), self.iter().map(Wire::write).collect());
        }
    }
}

/// Red, green and blue, or other groups of numbers.
impl<const N: usize> Member for [f64; N] {
    type Names = [&'static str; N];

    fn take(fields: &mut Fields, names: Self::Names) -> Option<Self> {
        let read = names.map(|name| f64::take(fields, name));
        read.iter().all(Option::is_some).then(|| read.map(Option::unwrap_or_default))
    }

    fn put(&self, names: Self::Names, object: &mut Map<String, Value>) {
        names.iter().zip(self).for_each(|(name, value)| value.put(name, object));
    }
}

/// A lower and an upper bound. Ranges are always checked, the order of the bounds only while the option is on; a default
/// that would cross the given bound takes its value.
impl Member for Span {
    type Names = (&'static str, &'static str);

    fn take(fields: &mut Fields, (low, high): Self::Names) -> Option<Self> {
        let (min, max) = (f64::read(fields.get(low)), f64::read(fields.get(high)));
        if let (Some(min), Some(max)) = (min, max)
            && fields.on
            && min > max
        {
            let message = message::not_above(high, max);
            fields.refuse(low, message, Some(message::allowed_at_most(max)));
        }
        let default_min = f64::read(fields.default(low));
        let default_max = f64::read(fields.default(high));
        Some(Self {
            min: min.or_else(|| default_min.map(|least| least.min(max.unwrap_or(least))))?,
            max: max.or_else(|| default_max.map(|most| most.max(min.unwrap_or(most))))?,
        })
    }

    fn put(&self, (low, high): Self::Names, object: &mut Map<String, Value>) {
        self.min.put(low, object);
        self.max.put(high, object);
    }
}

/// An option that is only a range: its name, its switch and its two bounds.
impl Member for Option<Span> {
    type Names = (&'static str, &'static str, &'static str, &'static str);

    fn take(fields: &mut Fields, (name, switch, low, high): Self::Names) -> Option<Self> {
        let read = |fields: &mut Fields| {
            fields.switch(switch);
            Span::take(fields, (low, high)).filter(|_| fields.on)
        };
        Some(fields.get(name).object(read).flatten())
    }

    fn put(&self, (name, switch, low, high): Self::Names, object: &mut Map<String, Value>) {
        let Some(span) = self else { return };
        let mut option = Map::new();
        option.insert(switch.to_owned(), true.into());
        span.put((low, high), &mut option);
        object.insert(name.to_owned(), Value::Object(option));
    }
}

impl Wire for bool {
    fn read(node: Node) -> Option<Self> {
        node.boolean()
    }

    fn write(&self) -> Value {
        (*self).into()
    }

    fn unlisted() -> Option<Self> {
        Some(false)
    }
}

impl Wire for f64 {
    fn read(node: Node) -> Option<Self> {
        let range = match node.kind()? {
            Kind::Number(min, max) => Range::new(min, max),
            Kind::Tenths(min, max) => Range::tenths(min, max),
            Kind::Positive(max) => Range::positive(max),
            _ => return None,
        };
        node.number(range)
    }

    fn write(&self) -> Value {
        (*self).into()
    }
}

impl Wire for u64 {
    fn read(node: Node) -> Option<Self> {
        match node.kind()? {
            Kind::Integer(min, max) => node.integer(min..=max),
            _ => None,
        }
    }

    fn write(&self) -> Value {
        (*self).into()
    }
}

impl Wire for u32 {
    fn read(node: Node) -> Option<Self> {
        u64::read(node).and_then(|value| Self::try_from(value).ok())
    }

    fn write(&self) -> Value {
        (*self).into()
    }
}

impl Wire for String {
    fn read(node: Node) -> Option<Self> {
        match node.kind()? {
            Kind::Url(_) => node.url(),
            Kind::WebUrl => node.web_url(),
            Kind::Text(most) => node.text(most),
            Kind::Lines(most) => node.lines(most),
            _ => None,
        }
    }

    fn write(&self) -> Value {
        self.as_str().into()
    }
}

impl Wire for FontRef {
    fn read(node: Node) -> Option<Self> {
        node.font()
    }

    fn write(&self) -> Value {
        match self {
            Self::Catalogue(font) => font.entry().name.into(),
            Self::File(url) => url.as_str().into(),
        }
    }
}

impl Wire for Fps {
    fn read(node: Node) -> Option<Self> {
        node.fps()
    }

    fn write(&self) -> Value {
        self.get().into()
    }
}

impl Wire for Rgba {
    fn read(node: Node) -> Option<Self> {
        node.color()
    }

    fn write(&self) -> Value {
        match *self {
            Self { r, g, b, a: 255 } => format!("#{r:02X}{g:02X}{b:02X}").into(),
            Self { r, g, b, a } => format!("#{r:02X}{g:02X}{b:02X}{a:02X}").into(),
        }
    }
}

/// The backgrounds that are not a colour.
const BACKGROUNDS: [(&str, Background); 2] = [("black", Background::Black), ("blur", Background::Blur)];

impl Wire for Background {
    fn read(node: Node) -> Option<Self> {
        node.choice_or_color(&BACKGROUNDS, Background::Color)
    }

    fn write(&self) -> Value {
        match self {
            Self::Color(color) => color.write(),
            named => BACKGROUNDS
                .iter()
                .find(|(_, value)| value == named)
                .map_or(Value::Null, |(name, _)| (*name).into()),
        }
    }
}

/// Declares types of a few values, each with its name.
macro_rules! named {
    ($($type:ty: $names:expr $(, unlisted $unlisted:expr)?;)+) => {
        $(impl Wire for $type {
            fn read(node: Node) -> Option<Self> {
                node.choice(&$names)
            }

            fn write(&self) -> Value {
                $names.iter().find(|(_, value)| value == self).map_or(Value::Null, |(name, _)| (*name).into())
            }

            $(fn unlisted() -> Option<Self> {
                Some($unlisted)
            })?
        })+
    };
}

named! {
    TaskType: TaskType::ALL.map(|kind| (kind.as_str(), kind));
    Preset: Preset::ALL.map(|preset| (preset.as_str(), preset));
    FillMode: [("none", FillMode::None), ("crop", FillMode::Crop), ("stretch", FillMode::Stretch)];
    ClipStart: [("begin", ClipStart::Begin), ("random", ClipStart::Random), ("shots", ClipStart::Shots)], unlisted ClipStart::Begin;
    MixLength: [("clips", MixLength::Clips), ("voice", MixLength::Voice)];
    SceneLength: [("duration", SceneLength::Duration), ("voice", SceneLength::Voice)];
    ImageMotion: ImageMotion::NAMES;
    SplitLayout: SplitLayout::NAMES;
    Weight: [("regular", Weight::Regular), ("bold", Weight::Bold)];
    CaptionPlace: [
        ("bottom", CaptionPlace::Bottom),
        ("lower-third", CaptionPlace::LowerThird),
        ("middle", CaptionPlace::Middle),
        ("top", CaptionPlace::Top),
    ];
    CaptionPreset: CaptionPreset::ALL.map(|preset| (preset.entry().name, preset));
    WordDisplay: [("line", WordDisplay::Line), ("one", WordDisplay::One), ("grow", WordDisplay::Grow)];
    Motion: [
        ("none", Motion::None),
        ("fade", Motion::Fade),
        ("pop", Motion::Pop),
        ("rise", Motion::Rise),
        ("typewriter", Motion::Typewriter),
    ];
    CaptionTiming: [("voice", CaptionTiming::Voice), ("even", CaptionTiming::Even)];
    TranscribedAudio: [("voice", TranscribedAudio::Voice), ("clips", TranscribedAudio::Clips)];
    Anchor: Anchor::NAMES;
    OverlayMotion: OverlayMotion::NAMES;
    AudioMode: [("merge", AudioMode::Merge), ("split", AudioMode::Split)];
    TransitionName: std::array::from_fn::<_, { NAMES.len() }, _>(|i| (NAMES[i], TransitionName(&Transition::all()[i])));
    LookChoice: LookChoice::ALL;
    Size: [
        ("720:1280", Size::new(720, 1280)),
        ("1080:1920", Size::new(1080, 1920)),
        ("1280:720", Size::new(1280, 720)),
        ("1920:1080", Size::new(1920, 1080)),
        ("1080:1080", Size::new(1080, 1080)),
        ("1080:1350", Size::new(1080, 1350)),
        ("720:720", Size::new(720, 720)),
    ];
}
