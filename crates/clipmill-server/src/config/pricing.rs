//! The price of an output.

use clipmill_core::pricing::PriceList;

section! {
    /// Price of an output: points per started second, by the length of its shorter side.
    Pricing = "pricing" {
        /// Points per second for a shorter side of up to 720 pixels.
        hd: u32 = PriceList::default().hd;
        /// Points per second for a shorter side of up to 1080 pixels.
        full_hd: u32 = PriceList::default().full_hd;
        /// Points per second for anything larger.
        above: u32 = PriceList::default().above;
    }
}

impl Pricing {
    /// The prices of outputs, without those of texts.
    pub(super) fn prices(&self) -> PriceList {
        PriceList { hd: self.hd, full_hd: self.full_hd, above: self.above, ..PriceList::default() }
    }
}
