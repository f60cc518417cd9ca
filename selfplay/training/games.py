"""What is known of the games where PyTorch need not be there (it takes seconds to load)."""

GAMES = ("bug", "sgolte", "stigmergy")
WITH_POINTS = ("stigmergy",)  # games that have komi and a score
