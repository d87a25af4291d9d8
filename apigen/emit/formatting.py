"""WIP"""
from __future__ import annotations

from apigen.emit.expressions import Syntax
from apigen.emit.lines import INDENT, Line
from apigen.emit.splitting import Splitter
from apigen.emit.statements import read_statement
from apigen.emit.tokens import Kind, Token, UnsupportedSyntax, tokenize


def format_line(text: str, depth: int, width: int = 88, syntax: Syntax | None = None) -> str:
    if len(text) + 4*depth <= width: return text
    tokens = tokenize(text)
    lines = once(tokens, depth, width, syntax)
    lines = once(retoken(lines), depth, width, syntax)
    return "\n".join(" " * (INDENT * line.depth) + line.text for line in lines)

def once(tokens, depth, width, syntax):
    tokens, syntax = read_statement(tokens, syntax or Syntax.OLD)
    return Splitter(width, syntax).split(Line(tokens, depth))

def retoken(lines):
    out=[]
    carry=0
    for line in lines:
        for t in line.tokens:
            if not t.text: carry=carry or t.space
            if t.text:
                sp = t.space or carry
                carry=0
                out.append(Token(t.kind, t.text, sp, hugged=t.hugged))
                if t.comment: com=t.comment
    # comments dropped WIP
    for a,b in zip(out,out[1:]):
        if b.kind is Kind.CLOSE or a.kind is Kind.OPEN: b.space=0
    return out
