"""Makes app/theme/fonts: the Latin files of the fonts, reduced to the weights and sizes in use and split, so that most pages load only
the letters of English; and fonts.css, which takes other scripts from the packages unchanged.
Run in the project folder, with fonttools and brotli installed: python3 scripts/fonts.py"""

import re
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

SOURCE = "node_modules/@fontsource-variable"
TARGET = "app/theme/fonts"
# English with punctuation; texts in the interface font use more characters.
TEXT = "U+20-22, U+26-29, U+2C-3B, U+3F, U+41-5A, U+61-7A, U+A0, U+2013-2014, U+2018-2019, U+201C-201D, U+2026"
INTERFACE = "U+20-7E, U+A0, U+A9, U+AB, U+B7, U+BB, U+D7, U+2013-2014, U+2018-2019, U+201C-201D, U+2022, U+2026, U+2190, U+2192"
# Without fractions, alternative figures and other unused features.
FEATURES = ["calt", "ccmp", "kern", "liga", "locl", "mark", "mkmk", "tnum"]
FACES = {
    "newsreader": ("newsreader/opsz.css", TEXT, {"wght": (400, 600), "opsz": (18, 72)}),
    "newsreader-italic": ("newsreader/opsz-italic.css", TEXT, {"wght": 430, "opsz": (18, 72)}),
    "source-serif": ("source-serif-4/index.css", TEXT, {"wght": (400, 700)}),
    "source-serif-italic": ("source-serif-4/wght-italic.css", TEXT, {"wght": (400, 700)}),
    "instrument-sans": ("instrument-sans/index.css", INTERFACE, {}),
}


def make_part(name: str, part: str, source: str, letters: set[int], axes: dict) -> None:
    font = TTFont(source, recalcTimestamp=False)
    subsetter = subset.Subsetter(subset.Options(layout_features=FEATURES, hinting=False, notdef_outline=True))
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    if axes:
        font = instancer.instantiateVariableFont(font, axes)
    font.flavor = "woff2"
    font.save(f"{TARGET}/{name}-{part}.woff2")


def letters_of(ranges: str) -> set[int]:
    ends = [part.split("-") for part in ranges.replace("U+", "").split(", ")]
    return {letter for end in ends for letter in range(int(end[0], 16), int(end[-1], 16) + 1)}


def faces(name: str, css: str, basic: str, axes: dict) -> str:
    folder = css.split("/")[0]
    blocks = re.findall(r"@font-face \{.*?\}", Path(f"{SOURCE}/{css}").read_text(), re.S)
    made = []
    for block in blocks:
        file = re.search(r"files/([\w-]+)\.woff2", block)[1]
        if not re.search(r"-latin-(?!ext)", file):
            made.append(block.replace("./files/", f"../../../{SOURCE}/{folder}/files/"))
            continue
        source = f"{SOURCE}/{folder}/files/{file}.woff2"
        letters = set(TTFont(source).getBestCmap())
        make_part(name, "latin", source, letters - letters_of(basic), axes)
        make_part(name, "basic", source, letters & letters_of(basic), axes)
        # Of two faces with a letter, browsers use the later one. All faces of a family must have the same weights.
        for part in ["latin", "basic"]:
            each = block.replace(f"./files/{file}", f"./{name}-{part}")
            made.append(each if part == "latin" else re.sub(r"unicode-range: .*?;", f"unicode-range: {basic};", each))
    # A line for each face, as nobody edits them.
    return "\n".join(re.sub(r"\s+", " ", face) for face in made)


Path(TARGET).mkdir(exist_ok=True)
Path(TARGET, "fonts.css").write_text("\n".join(faces(name, *face) for name, face in FACES.items()) + "\n")
