#!/usr/bin/env python3
"""The terminal game in a real terminal of 80 x 24: test_terminal.py BINARY. Whole games of all kinds are played by what
Tab offers; no line is longer than the terminal; whatever ends the program, the game is kept."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time

BINARY = os.path.abspath(sys.argv[1])
CONFIGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../configs')
COLUMNS, LINES = 80, 24
PATIENCE = 30  # seconds for an answer, on a slow and busy machine
CTRL_D = b'\x15\x04'  # after Ctrl-U: one that was lost has left a character on the line


class Terminal:
    """A program in a terminal. `text` is what it has written, without escape sequences."""

    def __init__(self, folder, *arguments, **environment):
        self.text, self.waiting = '', b''
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', LINES, COLUMNS, 0, 0))
            os.environ.update(XDG_STATE_HOME=folder, HOME=folder, TERM='xterm', LC_ALL='C.UTF-8',
                              ASAN_OPTIONS='detect_leaks=0', **environment)  # libedit keeps the names of its commands for good
            os.execv(BINARY, [BINARY, 'play', *arguments])

    def read(self):
        """Reads what there is, or waits for more. False at the end."""
        if not select.select([self.terminal], [], [], PATIENCE)[0]:
            raise AssertionError(f'no answer after:\n{self.text[-2000:]}')
        try:
            self.waiting += os.read(self.terminal, 65536)
        except OSError:  # the program has ended
            return False
        whole = self.waiting.decode(errors='ignore')
        self.text = re.sub(r'\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>][0-9A-Z]?', '', whole).replace('\r', '')
        return True

    def wait_for(self, part, begin=0):
        while part not in self.text[begin:]:
            assert self.read(), f'{part!r} does not come after:\n{self.text[-2000:]}'

    def wait_for_editor(self):
        """Waits until the program edits the line itself, which it does a moment after the prompt: before, the terminal
        echoes what is typed."""
        end = time.monotonic() + PATIENCE
        while termios.tcgetattr(self.terminal)[3] & termios.ICANON:
            assert time.monotonic() < end, self.text[-2000:]
            time.sleep(0.01)

    def wait_for_state(self, wanted):
        """Waits until the program sleeps (S), as when it waits for a key, or is stopped (T)."""
        end = time.monotonic() + PATIENCE
        while True:
            with open(f'/proc/{self.pid}/stat', encoding='utf-8') as file:
                if file.read().rpartition(')')[2].split()[0] == wanted:
                    return
            assert time.monotonic() < end, self.text[-2000:]
            time.sleep(0.01)

    def press(self, keys):
        """Types keys that make the program answer; returns the answer up to the next prompt."""
        begin = len(self.text)
        os.write(self.terminal, keys.encode())
        self.wait_for('\n', begin)
        while not self.text[self.text.rindex('\n'):].endswith('> '):
            assert self.read(), self.text[-2000:]
        return self.text[begin:]

    def type(self, line):
        return self.press(line + '\r')

    def end(self, key=b''):
        """Presses a key, waits for the end, and returns the exit status or minus the signal. A key that comes while the
        terminal changes its mode is lost, so it is pressed again after a while. The program may take a second to notice
        Ctrl-C; a second one while it says goodbye would wipe out the words that the terminal still holds."""
        going_on, begin = True, time.monotonic()
        while going_on:
            assert time.monotonic() < begin + PATIENCE, f'{key!r} does not end:\n{self.text[-2000:]}'
            os.write(self.terminal, key)
            while going_on and (not key or select.select([self.terminal], [], [], 4)[0]):
                going_on = self.read()
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def check_width(self):
        for line in self.text.split('\n'):
            assert len(line) <= COLUMNS, f'{len(line)} columns: {line}'


def hinted_turn(terminal):
    return terminal.type('hint').split('\n')[2].split()[0]


def play_whole_games(folder):
    for arguments in (['--size', '3', '--komi', '3'], ['--game', 'bug', '--size', '3', '--pie', 'on'],
                      ['--game', 'sgolte', '--size', '3', '--capture', 'line']):
        terminal = Terminal(folder, '--level', '1', *arguments)
        terminal.wait_for('Black> ')
        for command in ('help', 'why b2', 'why c3', 'level', 'zzz', 'level x', 'load /no/such/file', 'a b'):
            terminal.type(command)
        for _ in range(60):
            words = terminal.press('\t').split()  # Tab lists what is possible: commands, turns; then comes the prompt
            unfinished = ',x>' if '--game' in arguments else ''  # there Tab offers only a part of long turns
            whole = [word for word in words[words.index('quit') + 1:-1] if word[-1] not in unfinished]
            answer = terminal.type(whole[len(whole) // 2] if whole else hinted_turn(terminal))
            assert 'no turn' not in answer and 'no move' not in answer, answer
            if 'over: ' in answer:
                break
        assert 'The game is over: ' in answer, answer
        terminal.type('undo')
        assert terminal.end(b'quit\r') == 0
        terminal.check_width()


def check_largest(folder):
    """After a turn on hexhex-10 the whole board and the prompt are in the last 24 lines."""
    terminal = Terminal(folder, '--size', '10', '--komi', '5', '--level', '1', '--ascii')
    terminal.wait_for('Black> ')
    terminal.type('j10')
    terminal.type('take-button')
    screen = terminal.text.split('\n')[-LINES:]
    numbers = ' '.join(str(number) for number in range(1, 11))
    assert screen[0].strip() == numbers and screen[20].strip() == numbers, '\n'.join(screen)
    assert screen[-1] == 'Black> ', screen[-1]
    terminal.end(b'quit\r')
    terminal.check_width()


def check_smaller(folder):
    """A terminal that becomes too small for the board is told so, once."""
    terminal = Terminal(folder, '--size', '3', '--komi', '3', '--side', 'both')
    terminal.wait_for('Black> ')
    fcntl.ioctl(terminal.terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 8, COLUMNS, 0, 0))
    assert 'but the terminal has 80 and 8' in terminal.type('c3'), terminal.text
    assert 'but the terminal has' not in terminal.type('c5'), terminal.text
    assert terminal.end(b'quit\r') == 0


def check_stopped(folder):
    """A program that was stopped shows the prompt and what was typed again when it goes on."""
    terminal = Terminal(folder, '--size', '3', '--komi', '3', '--side', 'both')
    terminal.wait_for('Black> ')
    terminal.wait_for_editor()
    os.write(terminal.terminal, b'c')
    terminal.wait_for('Black> c')
    begin = len(terminal.text)
    terminal.wait_for_state('S')
    os.kill(terminal.pid, signal.SIGSTOP)
    terminal.wait_for_state('T')
    os.kill(terminal.pid, signal.SIGCONT)
    terminal.wait_for('Black> c', begin)
    assert 'White to move.' in terminal.type('3'), terminal.text
    assert terminal.end(b'quit\r') == 0


def check_ends(folder):
    """Ctrl-C, Ctrl-D, a closed terminal, a kill: the game goes on where it was."""
    begin = Terminal(folder, '--size', '4', '--komi', '2', '--side', 'both')
    begin.wait_for('Black> ')
    begin.type('a1')
    begin.end(b'quit\r')
    turns = ['a1']
    for turn, end in (('b1', b'\x03'), ('c1', CTRL_D), ('a3', signal.SIGHUP), ('d1', signal.SIGTERM),
                      ('g4', signal.SIGKILL)):
        terminal = Terminal(folder, '--continue')
        terminal.wait_for(' to move.')
        terminal.wait_for('> ')
        terminal.type(turn)
        turns.append(turn)
        if not isinstance(end, bytes):
            os.kill(terminal.pid, end)
        status = terminal.end(end if isinstance(end, bytes) else b'')
        if end == signal.SIGKILL:
            assert status == -signal.SIGKILL, status
        else:
            assert status == (0 if end == CTRL_D else 130), (end, status)
            assert 'To go on: stigmergy play --continue' in terminal.text, terminal.text
    terminal = Terminal(folder, '--continue')
    terminal.wait_for('> ')
    played = re.sub(r'\d+\.', '', terminal.type('moves'))
    assert played.split('\n')[-2].split() == turns, played
    terminal.end(CTRL_D)


def check_killed_thinking(folder):
    """A kill while the computer thinks does not lose the turn before; nor does one after the computer's first turn."""
    for arguments, keys, shown, turns in ((['--size', '5', '--move-time', '500'], b'e5\r', 'White to move.', '1.e5'),
                                          (['--size', '3', '--level', '1', '--side', 'w'], b'', 'White> ', '1.')):
        own = os.path.join(folder, turns)
        terminal = Terminal(own, '--komi', '2', *arguments)
        terminal.wait_for('> ')
        os.write(terminal.terminal, keys)
        terminal.wait_for(shown)
        os.kill(terminal.pid, signal.SIGKILL)
        assert terminal.end() == -signal.SIGKILL
        terminal = Terminal(own, '--continue', '--level', '1')
        terminal.wait_for('> ')
        assert turns in terminal.type('moves'), terminal.text
        assert terminal.end(b'quit\r') == 0


def check_interrupted_thinking(folder):
    """Ctrl-C while the computer thinks makes it move."""
    terminal = Terminal(folder, '--size', '5', '--komi', '2', '--move-time', '500')
    terminal.wait_for('Black> ')
    os.write(terminal.terminal, b'e5\r')
    terminal.wait_for('White to move.')
    time.sleep(0.05)  # it thinks; Ctrl-C before is as good
    os.write(terminal.terminal, b'\x03')
    terminal.wait_for('The computer (White) plays ')
    terminal.wait_for('Black> ', terminal.text.index('The computer (White) plays '))
    assert terminal.end(b'quit\r') == 0


def check_interrupted_komi(folder):
    """Ctrl-C while the computer thinks about the komi ends that, and the game begins all the same. It thinks where it
    has no published results."""
    data = os.path.join(folder, 'data')
    os.mkdir(data)
    for part in ('networks', 'players'):
        os.symlink(os.path.join(CONFIGS, part), os.path.join(data, part))
    terminal = Terminal(folder, '--size', '10', '--level', '8', STIGMERGY_DATA=data)
    terminal.wait_for('komi> ')
    os.write(terminal.terminal, b'\r')
    terminal.wait_for('thinks about it')
    os.write(terminal.terminal, b'\x03')
    terminal.wait_for('Stopped: the komi is still open.')
    terminal.wait_for('komi> ', terminal.text.index('Stopped'))
    terminal.type('level 1')
    terminal.type('-200')
    assert 'You play White.' in terminal.text, terminal.text
    terminal.type('resign')
    assert terminal.end(b'quit\r') == 0
    assert 'To go on: stigmergy play --continue' in terminal.text, terminal.text
    again = Terminal(folder, '--continue')
    again.wait_for('White has resigned: Black wins.')
    assert again.end(b'quit\r') == 0
    early = Terminal(folder, '--size', '3')
    early.wait_for('komi> ')
    assert early.end(b'\x03') == 130
    assert 'No turn was played, so there is no game to keep.' in early.text, early.text


for check in (play_whole_games, check_largest, check_smaller, check_stopped, check_ends, check_killed_thinking,
              check_interrupted_thinking, check_interrupted_komi):
    with tempfile.TemporaryDirectory() as state:
        check(state)
