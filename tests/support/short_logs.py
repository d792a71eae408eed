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


SNEAK_PEEK = """\
2026-03-07 12:00:00 A vs B

Round #1, A (0), B (0)
A posts blind: 10
B posts blind: 20
A received [2c 3c]
B received [4d 5d]
A calls
B checks
Flop [Ah Kh Qh], A (20), B (20)
B bids 7
A bids 100
A won the auction and was revealed [4d]
Flop [Ah Kh Qh], A (27), B (20)
B checks
A checks
Turn [Ah Kh Qh Jh], A (27), B (20)
B checks
A checks
River [Ah Kh Qh Jh Th], A (27), B (20)
B checks
A checks
A shows [2c 3c]
B shows [4d 5d]
A awarded -4
B awarded 4

Round #2, B (4), A (-4)
B posts blind: 10
A posts blind: 20
B received [As Ad]
A received [4d 5d]
B raises to 40
A calls
Flop [Ac 7h 8s], B (40), A (40)
A bids 0
B bids 30
B won the auction and was revealed [5d]
Flop [Ac 7h 8s], B (40), A (40)
A bets 20
B folds
B awarded -40
A awarded 40

Final, A (36), B (-36)"""

ANACONDA = """\
2026-03-28 12:00:00 A vs B

Round #1, A (0), B (0)
A posts blind: 10
B posts blind: 20
A received [As Ad Kc 7h 4s 3d 2c]
B received [Qh Qd Jc Jh 8s 6d 5c]
A passes [4s 3d 2c]
B passes [8s 6d 5c]
Betting#1, A (10), B (20)
A raises to 60
B calls
DoublePass, A (60), B (60)
B passes [3d 2c]
A passes [7h 5c]
Betting#2, A (60), B (60)
B checks
A bets 40
B calls
SinglePass, A (100), B (100)
B passes [4s]
A passes [2c]
Betting#3, A (100), B (100)
B checks
A checks
A shows [As Ad Kc 8s 6d 3d 4s] -> Pair
B shows [Qh Qd Jc Jh 7h 5c 2c] -> Two Pair
A awarded -100
B awarded 100

Round #2, B (100), A (-100)
B posts blind: 10
A posts blind: 20
B received [Qh Qd Jc Jh 8s 6d 5c]
A received [As Ad Kc 7h 4s 3d 2c]
B passes [Qh Qd Jc]
A passes [As Ad Kc]
Betting#1, B (10), A (20)
B folds
B awarded -10
A awarded 10

Final, A (-90), B (90)"""
