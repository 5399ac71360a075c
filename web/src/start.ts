// What a new rule file begins with.

export const example = `// A whole game. Change it: the table follows.
game mine "Three in a row"

players x "Cross" symbol "X", o "Nought" symbol "O"

clause §1 "A mark goes onto a free field."
clause §2 "Three in a row win."
clause §3 "A full board without a row is a draw."

board square 3 x 3
piece mark "Mark" owned

action place "place" §1 {
  choose square in empty  §1
  put own mark on square
}

play { turns { mover plays place } }

end line "three in a row" after move when line(own mark, 3)  §2
{ win me }
end full "the board is full" after move when no empty  §3
{ draw }
`;
