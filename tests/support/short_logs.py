"""Logs of a hand or two, of which tests change a line."""

AUCTION = """\
6.9630 MIT Pokerbots - A vs B

Round #1, A (0), B (0)
A posts the blind of 1
B posts the blind of 2
A dealt [Kc Kd]
B dealt [Qs 5d]
A calls
B checks
Flop [6d 8s 7d], A (2), B (2)
B bids 381
A bids 31
B won the auction and was dealt [3s]
Flop [6d 8s 7d], A (2), B (33)
B checks
A bets 5
B folds
A awarded 33
B awarded -33
Players submitted bids of 31 and 381

Final, B (-33), A (33)"""

TOSS = """\
6.9630 MIT Pokerbots - A vs B

Round #1, A (0), B (0)
A posts the blind of 1
B posts the blind of 2
A dealt [5s Td Ts]
B dealt [Ks 3d Kh]
A calls
B checks
Flop [7c 8d], A (2), B (2)
Current stacks: 398, 398
B discards 3d
A checks
Discard 1 [7c 8d 3d], A (2), B (2)
Current stacks: 398, 398
A discards 5s
B checks
Discard 2 [7c 8d 3d 5s], A (2), B (2)
Current stacks: 398, 398
B bets 2
A folds
A awarded -2
B awarded 2

Final, B (2), A (-2)"""
