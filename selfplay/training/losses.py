"""What the heads of a network are to say, and how far they are from it.

policy: cross-entropy with the policy of full searches. win: cross-entropy with a mixture of who won and what the search
thought. score and spread: likelihood of the margin under a normal distribution; nothing in games without points, where
the margin is always 0 and a spread that goes to nothing would drown all else. A game that was resigned has no margin:
the search's takes its place, and says nothing of the spread. owner: cross-entropy with who owns each cell in the end.
The weights of score and owner follow KataGo (Wu 2019), where they help the others to be learnt.
"""

import torch
import torch.nn.functional as F

from games import WITH_POINTS

SEARCH_SHARE = 0.5  # of what the search thought, in what `win` is to say
WEIGHTS = {"policy": 1.0, "win": 1.0, "score": 0.05, "owner": 0.3}


def policy_logits(board, heads):
    """The logits of all actions, those that are not legal far below."""
    rows = len(heads["win"])
    flat = torch.cat([heads["cells"].reshape(rows, -1), heads["others"]], dim=1)
    return flat[:, board.action_logit]


def losses(board, heads, batch, mask):
    """Mean loss of each head over a batch, in a dictionary; "policy" over the rows that have one, "score" only in games
    with points."""
    logits = policy_logits(board, heads).float().masked_fill(~batch["legal"], -1e4)
    cross = -(batch["policy"] * F.log_softmax(logits, dim=1)).sum(dim=1)
    weight = batch["weight"]
    win = (1 - SEARCH_SHARE) * batch["win"] + SEARCH_SHARE * batch["search_win"]
    finished = batch["finished"]
    spread = heads["spread"].float().clamp(-2, 8)
    spread = torch.where(finished > 0, spread, spread.detach())
    margin = torch.where(finished > 0, batch["score"], batch["search_score"])
    error = (heads["score"].float() - margin) / 2 ** spread
    likelihood = 0.5 * error.clamp(-20, 20) ** 2 + spread * 0.6931
    owner = F.binary_cross_entropy_with_logits(heads["owner"].float().flatten(1), (batch["owner"].float() + 1) / 2,
                                               reduction="none")
    owner = (owner * mask.flatten()).sum(dim=1) / mask.sum()
    return {"policy": (cross * weight).sum() / weight.sum().clamp(min=1),
            "win": F.binary_cross_entropy_with_logits(heads["win"].float(), win),
            **({"score": likelihood.mean()} if board.game in WITH_POINTS else {}),
            "owner": (owner * finished).mean()}


class Means:
    """Means over many batches, each over the rows that it is about: policies of full searches, owners of finished games."""

    def __init__(self):
        self.sums, self.rows = {}, {}

    def add(self, key, value, rows):
        self.sums[key] = self.sums.get(key, 0.0) + value
        self.rows[key] = self.rows.get(key, 0.0) + rows

    def add_losses(self, parts, batch):
        """The losses of a batch."""
        count, full, finished = len(batch["win"]), float(batch["weight"].sum()), float(batch["finished"].sum())
        for key, value in parts.items():
            self.add(key, float(value) * (full if key == "policy" else count),
                     {"policy": full, "owner": finished}.get(key, count))

    def rounded(self):
        """The means by key, without those that no row says anything of."""
        return {key: round(self.sums[key] / rows, 4) for key, rows in self.rows.items() if rows}


def total(parts):
    return sum(WEIGHTS[key] * value for key, value in parts.items())
