//! What an output costs.

use clipmill_core::pricing::PriceList;

section! {
    /// What an output costs: points for each started second, by the length of its shorter side.
    Pricing = "pricing" {
        /// Points a second for a shorter side of up to 720 pixels.
        hd: u32 = PriceList::default().hd;
        /// Points a second for a shorter side of up to 1080 pixels.
        full_hd: u32 = PriceList::default().full_hd;
        /// Points a second for anything larger.
        above: u32 = PriceList::default().above;
    }
}

impl Pricing {
    pub fn prices(&self) -> PriceList {
        PriceList { hd: self.hd, full_hd: self.full_hd, above: self.above }
    }
}
