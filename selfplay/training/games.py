"""What is known of the games where PyTorch need not be there (it takes seconds to load)."""

BOARD_MAX = {"bug": 7, "sgolte": 7, "stigmergy": 10}  # cells on a side of the largest board
GAMES = tuple(BOARD_MAX)
WITH_POINTS = ("stigmergy",)  # games that have komi and a score
