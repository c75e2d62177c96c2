"""Writes fonts.ts: the app's two fonts at one weight each, as the drawing needs them. Needs Debian's python3-fonttools and python3-brotli.

python3 supabase/functions/preview-image/fonts.py
"""

import base64
import os
import tempfile

from fontTools import merge, subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = os.path.join(HERE, "../../../node_modules")


def one_weight(folder, family, part, weight):
    """The static file of this weight, or an instance of the variable one."""
    static = f"{PACKAGES}/@fontsource/{family}/files/{family}-{part}-{weight}-normal.woff2"
    if os.path.exists(static):
        font = TTFont(static)
    else:
        variable = TTFont(f"{PACKAGES}/@fontsource-variable/{family}/files/{family}-{part}-wght-normal.woff2")
        font = instancer.instantiateVariableFont(variable, {"wght": weight})
    font.flavor = None
    path = f"{folder}/{family}-{part}.ttf"
    font.save(path)
    return path


def whole(folder, family, weight):
    """Latin and extended Latin in one file, with kerning, without hints."""
    parts = [one_weight(folder, family, part, weight) for part in ("latin", "latin-ext")]
    font = merge.Merger(merge.Options(drop_tables=["GSUB", "GDEF", "meta", "STAT"])).merge(parts)
    options = subset.Options()
    options.layout_features = ["kern"]
    options.hinting = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=list(font.getBestCmap()))
    subsetter.subset(font)
    # One name by which the drawing asks for it, whatever the instance is called.
    for number in (16, 17, 21, 22, 25):
        font["name"].removeNames(nameID=number)
    font["name"].setName(family.replace("-", " ").title(), 1, 3, 1, 0x409)
    path = f"{folder}/{family}.ttf"
    font.save(path)
    return path


def written(name, path):
    font = TTFont(path)
    family = font["name"].getDebugName(1)
    glyphs = font.getBestCmap()
    widths = " ".join(f"{code:x}:{font['hmtx'][glyph][0]}" for code, glyph in sorted(glyphs.items()))
    data = base64.b64encode(open(path, "rb").read()).decode()
    return f"""
export const {name}: Font = {{
  family: '{family}',
  widths:
    '{widths}',
  base64:
    '{data}',
}};
"""


with tempfile.TemporaryDirectory() as folder, open(f"{HERE}/fonts.ts", "w") as out:
    out.write(
        """/**
 * Bricolage Grotesque, copyright 2022 The Bricolage Grotesque Project Authors (https://github.com/ateliertriay/bricolage), and
 * Instrument Sans, copyright 2022 The Instrument Sans Project Authors (https://github.com/Instrument/instrument-sans), under the SIL
 * Open Font License 1.1 (fonts-license.txt). In a module, so that a deployment cannot leave them behind. Written by fonts.py.
 */
export interface Font {
  family: string;
  /** Widths of the characters that it has, in thousandths of the size: code point in hex, colon, width. */
  widths: string;
  /** The TrueType file. */
  base64: string;
}
"""
    )
    for name, family, weight in (("display", "bricolage-grotesque", 700), ("text", "instrument-sans", 500)):
        out.write(written(name, whole(folder, family, weight)))
