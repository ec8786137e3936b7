"""What the `tokenizers` package makes of hostile texts: the oracle of the tokenizer's tests.

Writes JSON lines. The first: {"package", "variants": {name: JSON merge patch of the shipped tokenizer.json}}.
Then cases {"v": variant, "t": text, "i": ids, "d": decoded, "s": decoded without special tokens}, where "d" is left
out if it is the text and "s" if it is "d"; a case without "t" only decodes. Then, for every pattern of one character,
{"class": pattern, "ranges": [[first, last], ...]}: the code points that it matches.

    tokenizer_cases.py tests/golden/tokenizer-cases.jsonl --strings 700 --variant-strings 30 --longest 40
    tokenizer_cases.py OUT --strings 10000 --variant-strings 10000 --no-classes
"""
import argparse
import copy
import json
import os
import random

import tokenizers
from tokenizers import Regex, Tokenizer, pre_tokenizers

SHIPPED = os.path.join(os.path.dirname(__file__), "../../../scenarios/models/small-bf16/tokenizer.json")
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
          r"\s*[\r\n]+|\s+(?!\S)|\s+")
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CLASSES = [r"\p{L}", r"\p{M}", r"\p{N}", r"\p{P}", r"\p{S}", r"\p{Z}", r"\p{C}", r"\p{Lu}", r"\p{Ll}", r"\p{Lt}",
           r"\p{Lm}", r"\p{Lo}", r"\p{Mn}", r"\p{Nd}", r"\p{Nl}", r"\p{No}", r"\p{Pc}", r"\p{Sc}", r"\p{Cn}", r"\p{Cf}",
           r"\s", r"\S", r"\d", r"\D", r"\w", r"\W", r"[\w]", r"[^\s\p{L}\p{N}]", r"[^\r\n\p{L}\p{N}]", r"\p{Han}",
           r"\p{Hiragana}", r"\p{Greek}", r"\p{^Lu}", r".", r"(?i:[a-zß])", r"(?i:k|s)", r"(?i:\p{Lu})", r"[\u4e00-\u9fa5]"]


def split(pattern, behavior="Isolated", invert=False, kind="Regex"):
    return {"type": "Split", "pattern": {kind: pattern}, "behavior": behavior, "invert": invert}


def byte_level(prefix=False, regex=False):
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": True, "use_regex": regex}


def sequence(*steps):
    return {"type": "Sequence", "pretokenizers": list(steps)}


def numbered(vocab, tokens):
    """Added tokens with the ids that the package gives them, whatever a file says: known ones keep theirs."""
    result = []
    for content, flags in tokens:
        new = len(vocab) + sum(token["id"] >= len(vocab) for token in result)
        token = {"id": vocab.get(content, new), "content": content, "single_word": False, "lstrip": False, "rstrip": False,
                 "normalized": False, "special": False}
        result.append({**token, **flags})
    return result


def variants(shipped):
    tekken = shipped["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"]
    specials, vocab = shipped["added_tokens"], shipped["model"]["vocab"]
    template = {
        "type": "TemplateProcessing", "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                   {"SpecialToken": {"id": "end", "type_id": 0}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]},
                           "end": {"id": "end", "ids": [4, 2], "tokens": ["<|im_end|>", "</s>"]}}}
    return {
        "shipped": {},
        # A blank before every piece shows where pieces begin.
        "shipped, pieces shown": {"pre_tokenizer": sequence(split(tekken), byte_level(prefix=True))},
        "llama 3": {"pre_tokenizer": sequence(split(LLAMA3), byte_level()), "model": {"ignore_merges": True}},
        "llama 3, pieces shown": {"pre_tokenizer": sequence(split(LLAMA3), byte_level(prefix=True))},
        "gpt-2": {"pre_tokenizer": byte_level(regex=True)},
        "gpt-2, prefix": {"pre_tokenizer": byte_level(prefix=True, regex=True), "post_processor": byte_level(prefix=True)},
        "gpt-2, pieces shown": {"pre_tokenizer": sequence(split(GPT2), byte_level(prefix=True))},
        "twice byte-level": {"pre_tokenizer": sequence(byte_level(prefix=True, regex=True), byte_level(prefix=True))},
        "ignore merges": {"model": {"ignore_merges": True, "vocab": {"Ġzyzzyva": 4096, "qxj": 4097, "ðŁĺĢ": 4098, "====": 4099,
                                                                     "Ġthey": 4100}}},
        "added": {"added_tokens": specials + numbered(vocab, [
            ("[L]", {"lstrip": True}), ("[R]", {"rstrip": True}), ("[LR]", {"lstrip": True, "rstrip": True, "special": True}),
            ("word", {"single_word": True}), ("[N]", {"normalized": True}), ("[NL]", {"normalized": True, "lstrip": True}), ("[L][R]", {}),
            ("  ", {}), (" x", {"single_word": True}), ("é", {}), ("Ġy", {}), ("\n\n\n", {"rstrip": True, "normalized": True}),
            ("[L", {"normalized": True}), ("日本", {"lstrip": True, "single_word": True}), ("👩", {"special": True, "single_word": True})])},
        "template": {"post_processor": {"type": "Sequence", "processors": [byte_level(), template]}},
        "behaviors": {"pre_tokenizer": sequence(
            split("~", "Removed", kind="String"), split(" ", "MergedWithNext", kind="String"), split(r"[<\[{(]", "MergedWithPrevious"),
            split(r"\p{Lu}", "Contiguous"), split(r"[\p{L}\p{M}]+|\p{N}", "Removed", invert=True), {"type": "Digits", "individual_digits": True},
            byte_level(prefix=True))},
        "empty matches": {"pre_tokenizer": sequence(split(r"\p{N}*", "MergedWithPrevious"), split(r"x*?", "MergedWithNext"),
                                                    split(r"(?=\p{Lu})", "Isolated"), byte_level(prefix=True))},
        "words": {"pre_tokenizer": sequence(split(r"\b\w+\b|\W", "Isolated"), split(r"\B\p{L}", "MergedWithPrevious"),
                                            split(r"^.|.$", "Isolated"), byte_level(prefix=True))},
        "digits": {"pre_tokenizer": sequence({"type": "Digits", "individual_digits": False}, byte_level(prefix=True)), "decoder": None},
        "deepseek": {"pre_tokenizer": sequence(
            split(r"\p{N}{1,3}"), split("[一-龥぀-ゟ゠-ヿ]+"),
            split(r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|"
                  r"\s*[\r\n]+|\s+(?!\S)|\s+"), byte_level(prefix=True))},
        "unknown": {"pre_tokenizer": None, "decoder": {"type": "Fuse"}, "model": {"unk_token": "<unk>", "fuse_unk": False}},
        "unknown, fused": {"pre_tokenizer": split(r"\s"), "decoder": None, "model": {"unk_token": "<unk>", "fuse_unk": True}},
        "byte fallback": {"pre_tokenizer": split(r"\s+", "MergedWithPrevious"),
                          "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]},
                          "model": {"byte_fallback": True, "vocab": {f"<0x{b:02X}>": 4096 + b for b in range(256)}}},
    }


def merge_patch(target, patch):  # RFC 7396
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            target.pop(key, None)
        else:
            target[key] = merge_patch(target.get(key), value)
    return target


class Texts:
    """Hostile texts from a seed."""

    SPACES = [" "] * 12 + list("\t\n\r\v\f") + [chr(c) for c in (
        0x1C, 0x1F, 0x85, 0xA0, 0x1680, 0x180E, 0x2000, 0x2003, 0x200A, 0x200B, 0x200C, 0x200D, 0x2028, 0x2029, 0x202F, 0x205F,
        0x2060, 0x3000, 0xFEFF)] + ["\r\n"] * 3
    SCRIPTS = [(0x21, 0x7E)] * 6 + [
        (0xA1, 0xFF), (0x100, 0x24F), (0x250, 0x2FF), (0x370, 0x3E1), (0x400, 0x4FF), (0x531, 0x556), (0x5D0, 0x5EA), (0x620, 0x6FF),
        (0x900, 0x97F), (0xE01, 0xE3A), (0x10A0, 0x10C5), (0x10D0, 0x10FA), (0x1100, 0x11FF), (0x13A0, 0x13F5), (0x1E00, 0x1FBC),
        (0x2070, 0x208E), (0x20A0, 0x20BF), (0x2100, 0x218B), (0x2200, 0x23FF), (0x2460, 0x24FF), (0x3041, 0x30FF), (0x4E00, 0x9FA5),
        (0xA640, 0xA66E), (0xAC00, 0xD7A3), (0xF900, 0xFA6D), (0xFB00, 0xFB06), (0xFF01, 0xFFDC), (0x10400, 0x1044F), (0x1D400, 0x1D7FF),
        (0x1F300, 0x1F64F), (0x1F900, 0x1F9FF), (0x20000, 0x20100)]
    MARKS = [chr(c) for c in (0x300, 0x301, 0x308, 0x327, 0x488, 0x5B0, 0x64B, 0x93C, 0x93F, 0xE31, 0x20D0, 0x20E3, 0x302A, 0xFE0E, 0xFE0F,
                              0x1D165, 0xE0100)]
    DIGITS = [chr(c + d) for c in (0x30, 0x660, 0x6F0, 0x966, 0xE50, 0xFF10, 0x1D7CE) for d in range(10)] + list("²³¹¼½¾①⅓Ⅷↈ〇㊿𐄇")
    TITLES = list("ǅǈǋǲᾈᾫῼǆǄʰˢªºⁿₐㅡ々〻ſKÅıİßẞŉﬁﬆ")
    ODD = [chr(c) for c in (0, 1, 7, 8, 0x1B, 0x7F, 0x80, 0x9F, 0xAD, 0x378, 0x379, 0x61C, 0x200E, 0x202E, 0x2066, 0x2FFFE, 0xD7FF, 0xE000,
                            0xE001, 0xF8FF, 0xFDD0, 0xFFF9, 0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF, 0x1FFFE, 0x4FFFF, 0x50000, 0xE0001, 0xE007F,
                            0xF0000, 0xFFFFD, 0x100000, 0x10FFFF)]
    EMOJI = ["😀", "👨‍👩‍👧‍👦", "👩🏽‍🚀", "🏳️‍🌈", "🇩🇪", "🇩", "1️⃣", "❤️", "🧑🏿", "☠", "\u200d", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]
    WORDS = ["the", "The", "THE", "beginning", "God", " created", "don't", "I'LL", "we've", "O'Neil's", "it'S", "'re", "'", "’s", "XMLHttpRequest",
             "snake_case", "camelCase", "naïve", "Straße", "ΑΒΓαβγς", "привет", "ПРИВЕТ", "שלום", "مرحبا", "नमस्ते", "สวัสดี", "日本語", "한국어",
             "zyzzyva", " zyzzyva", "qxj", "====", "they", " they", "word", "words", "aword", "word,", " x", "  x", "日本", "é", "e\u0301", "Ġy", "Ġ", "Ċ"]
    SPECIAL = ["<s>", "</s>", "<unk>", "<|im_start|>", "<|im_end|>", "<s", "s>", "<<s>", "<s>>", "< s>", "<S>", "<|im_end|", "|im_end|>",
               "<|im_start|><|im_end|>", "<\u200bs>", "[L]", "[R]", "[LR]", "[N]", "[NL]", "[L][R]", " [L] ", "\t[R]\u3000", "[L", "\n\n\n", "\n\n\n\n", "[L][L]",
               "<0x41>", "<0x", "0xFF>"]
    CODE = ['{"a": [1, 2.5e-3, null], "b": "\\u00e9\\n"}', "for (int i = 0; i < n; ++i) {\n\tx[i] += y->z;\n}\n", "def f(x):\n    return x ** 2  # square\n",
            "SELECT * FROM t WHERE a='b''c' -- x\r\n", "https://example.org/a/b?c=d&e=%20#f", "```c++\nstd::vector<int>{};\n```", "a~b~~c", "1,234,567.89", "0xDEADBEEF",
            "C:\\dir\\file.txt", "//////", "/*\n*/", "\\\\\\n", "<html><body class=\"x\">&nbsp;</body></html>"]

    def __init__(self, seed):
        self.random = random.Random(seed)

    def characters(self):
        low, high = self.random.choice(self.SCRIPTS)
        return "".join(chr(self.random.randint(low, high)) for _ in range(self.random.randint(1, 6)))

    def run(self, longest):
        unit = self.random.choice([self.random.choice(self.SPACES), self.random.choice("aA.1\n =-\u4e00é"), self.random.choice(self.EMOJI)])
        return unit * self.random.choice([2, 3, 4, 7, 8, 15, 16, 31, 64, longest])

    def part(self, longest):
        kind = self.random.random()
        for limit, make in ((0.22, self.characters), (0.40, lambda: self.random.choice(self.WORDS)), (0.60, lambda: self.random.choice(self.SPACES)),
                            (0.66, lambda: self.random.choice(self.MARKS)), (0.72, lambda: self.random.choice(self.DIGITS)),
                            (0.77, lambda: self.random.choice(self.TITLES)), (0.82, lambda: self.random.choice(self.ODD)),
                            (0.86, lambda: self.random.choice(self.EMOJI)), (0.93, lambda: self.random.choice(self.SPECIAL)),
                            (0.97, lambda: self.random.choice(self.CODE)), (1.00, lambda: self.run(longest))):
            if kind < limit:
                return make()

    def text(self, longest):
        return "".join(self.part(longest) for _ in range(self.random.choice([1, 2, 3, 5, 8, 12, 20])))


def write_case(out, name, ids, tokenizer, text=None):
    case = {"v": name, "i": ids}
    decoded = tokenizer.decode(ids, skip_special_tokens=False)
    plain = tokenizer.decode(ids, skip_special_tokens=True)
    if text is not None:
        case["t"] = text
    if decoded != text:
        case["d"] = decoded
    if plain != decoded:
        case["s"] = plain
    out.write(json.dumps(case, ensure_ascii=False, separators=(",", ":")) + "\n")


def write_classes(out):
    points = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    for pattern in CLASSES:
        splitter = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)  # what does not match goes
        ranges = []
        for begin in range(0, len(points), 4096):
            block = points[begin : begin + 4096]
            for _, (first, last) in splitter.pre_tokenize_str("".join(map(chr, block))):
                for point in block[first:last]:
                    if ranges and ranges[-1][1] == point - 1:
                        ranges[-1][1] = point
                    else:
                        ranges.append([point, point])
        out.write(json.dumps({"class": pattern, "ranges": ranges}, ensure_ascii=False, separators=(",", ":")) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--strings", type=int, default=1000, help="texts for the shipped tokenizer")
    parser.add_argument("--variant-strings", type=int, default=100, help="texts for each variant")
    parser.add_argument("--seed", type=int, default=20260101)
    parser.add_argument("--longest", type=int, default=100, help="length of the longest runs")
    parser.add_argument("--no-classes", action="store_true")
    options = parser.parse_args()
    with open(SHIPPED, encoding="utf-8") as file:
        shipped = json.load(file)
    patches = variants(shipped)
    with open(options.out, "w", encoding="utf-8") as out:
        out.write(json.dumps({"package": "tokenizers " + tokenizers.__version__, "variants": patches}, ensure_ascii=False, separators=(",", ":")) + "\n")
        for index, (name, patch) in enumerate(patches.items()):
            tokenizer = Tokenizer.from_str(json.dumps(merge_patch(copy.deepcopy(shipped), patch)))
            texts = Texts(options.seed + index)
            count = options.strings if name == "shipped" else options.variant_strings
            strings = [texts.text(options.longest) for _ in range(count)]
            for text, encoding in zip(strings, tokenizer.encode_batch(strings)):
                write_case(out, name, encoding.ids, tokenizer, text)
            for _ in range(count // 4):  # ids that no text would give
                ids = [texts.random.randrange(tokenizer.get_vocab_size() + 3) for _ in range(texts.random.randint(0, 12))]
                write_case(out, name, ids, tokenizer)
        if not options.no_classes:
            write_classes(out)


if __name__ == "__main__":
    main()
