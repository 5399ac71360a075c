"""Counts the tokens of rule files: words, numbers, texts in quotes and signs.

    python3 tests/peers/tokens.py rules/classics/*/*.rules

Not counted are comments, the titles of source documents, declarations of clauses and citations (§…),
that is all that carries out nothing.
"""

import re
import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"//.*", "", text)
    text = re.sub(r'^\s*(document|clause)\b.*$', "", text, flags=re.M)
    text = re.sub(r"§[\w./-]+,?", "", text)
    tokens = re.findall(r'"[^"]*"|\w+|\.\.|:=|\+=|-=|==|!=|<=|>=|[^\s\w]', text)
    print(f"{len(tokens):6} {path}")
