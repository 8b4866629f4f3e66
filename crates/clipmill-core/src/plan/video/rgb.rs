//! Colour balance and looks.

use crate::color_balance;
use crate::color_space::to_rgb;
use crate::filter_graph::Filter;
use crate::looks::Look;
use crate::request::model::ColorBalance;

/// Colour balance and look work on RGB: both share one conversion there and back, with an explicit matrix.
pub(crate) fn rgb_filters(balance_of: Option<ColorBalance>, look: Option<&str>) -> Vec<Filter> {
    let mut inner: Vec<Filter> = balance_of.iter().filter_map(color_balance::filter).collect();
    inner.extend(look.and_then(Look::find).map(Look::filters).unwrap_or_default());
    if inner.is_empty() {
        return inner;
    }
    let mut filters = to_rgb().to_vec();
    filters.extend(inner);
    filters.push(
        Filter::new("zscale")
            .arg("matrixin", "gbr")
            .arg("rangein", "full")
            .arg("matrix", 709)
            .arg("range", "limited"),
    );
    filters.push(Filter::new("format").arg("pix_fmts", "yuv420p"));
    filters
}
