"""What is known of the games where PyTorch need not be there (it takes seconds to load)."""

BOARD_MAX = {"bug": 7, "sgolte": 7, "stigmergy": 10}  # cells on a side of the largest board
GAMES = tuple(BOARD_MAX)
WITH_POINTS = ("stigmergy",)  # games that have komi and a score
USUAL = {"bug": {"pie": "off"}, "sgolte": {"capture": "free", "pie": "on"}}  # variants, of games that have some


def variant(settings):
    """Which variant of its game a data set has: its settings leave out what is usual."""
    return {key: settings.get(key, usual) for key, usual in USUAL.get(settings["game"], {}).items()}
