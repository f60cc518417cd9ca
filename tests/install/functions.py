#!/usr/bin/env python3
"""Compares the functions that the installed headers declare with the list in functions.txt, and with the libraries.

    functions.py PREFIX SOURCES      NM names the program
    functions.py --write PREFIX SOURCES      writes the list
    functions.py --self-test

Before version 1.0 the list may change, but on purpose: with --write. From 1.0 on it only grows: what the list of the
last release has must stay. A release is a tag v1.0.0 or later. Without git, or without such a tag, it says that it has
compared with none.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

LIST = 'tests/install/functions.txt'


def declarations(path):
    """The functions of a header, each on one line as "bool f(int a);", with "inline" if the header defines it."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    text = re.sub(r'/\*.*?\*/', ' ', text, flags=re.S)
    text = re.sub(r'#ifdef __cplusplus.*?#endif', ' ', text, flags=re.S)
    text = re.sub(r'^\s*#.*(?:\\\n.*)*$', '', text, flags=re.M)
    text = re.sub(r'__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)', '', text)
    while re.search(r'\{[^{}]*\}', text):  # bodies, innermost first
        text = re.sub(r'\{[^{}]*\}', '@', text)
    for part in re.findall(r'[^;@]*[;@]', text):
        part = ' '.join(part.split())
        if '(' in part and not re.match(r'typedef|struct|enum|union|_Static_assert', part) and '=' not in part:
            yield part[:-1].strip() + ';'


def name_of(declaration):
    return re.match(r'[^(]*?(\w+)\s*\(', declaration).group(1)


def declared(prefix):
    found = {}
    headers = glob.glob(prefix + '/include/stigmergy/**/*.h', recursive=True)
    for header in headers:
        for declaration in declarations(header):
            found[name_of(declaration)] = declaration
    return found


def defined(prefix):
    """The functions that the libraries export."""
    libraries = glob.glob(prefix + '/lib*/**/libstigmergy_*.a', recursive=True)
    out = subprocess.run([os.environ.get('NM', 'nm'), '-g', '--defined-only', *libraries], capture_output=True, text=True,
                         check=True).stdout
    return set(re.findall(r'^[0-9a-f]+ T _?(\w+)$', out, flags=re.M))


def of_last_release(sources):
    """The list of the last release from 1.0 on; empty if there is none."""
    def git(*arguments):
        if not shutil.which('git'):
            return ''
        return subprocess.run(['git', '-C', sources, *arguments], capture_output=True, text=True).stdout
    tags = git('tag', '--list', 'v[1-9]*', '--sort=-version:refname', '--merged').split()
    return git('show', f'{tags[0]}:{LIST}').splitlines() if tags else []


def entries(lines):
    return [line for line in lines if line and not line.startswith('#')]


def lines_of(path):
    with open(path, encoding='utf-8') as file:
        return entries(file.read().splitlines())


def lost(older, lines):
    """The functions of an older list that are there no more, or are declared otherwise."""
    return [line for line in entries(older) if line not in lines]


def test_releases():
    """The list that counts is that of the last release from 1.0 on."""
    for name in [name for name in os.environ if name.startswith('GIT_')]:
        del os.environ[name]  # of a command of git that runs this: they name its repository
    with tempfile.TemporaryDirectory() as folder:
        def git(*arguments):
            subprocess.run(['git', '-C', folder, '-c', 'user.name=a', '-c', 'user.email=a', '-c', 'commit.gpgSign=false',
                            *arguments], check=True, capture_output=True)
        assert of_last_release(folder) == []
        git('init')
        os.makedirs(os.path.dirname(os.path.join(folder, LIST)))
        for tag, found in (('v0.9.0', []), ('v1.9.0', ['v1.9.0']), ('v1.10.0', ['v1.10.0'])):
            with open(os.path.join(folder, LIST), 'w', encoding='utf-8') as file:
                file.write(tag)
            git('add', '.')
            git('commit', '-m', tag)
            git('tag', tag)
            assert of_last_release(folder) == found, tag


def self_test():
    """What an older list has must stay, and new functions may come."""
    older = ['# A comment.', 'bool f(int a);', 'void g(void);']
    assert lost(older, ['bool f(int a);', 'void g(void);', 'int h(void);']) == []
    assert lost(older, ['bool f(int a);', 'int h(void);']) == ['void g(void);']
    assert lost(older, ['bool f(long a);', 'void g(void);']) == ['bool f(int a);']
    assert lost([], ['int h(void);']) == []
    if shutil.which('git'):
        test_releases()
    print('functions.py: the checks find what they are for')
    return 0


def main():
    if sys.argv[1:] == ['--self-test']:
        return self_test()
    prefix, sources = sys.argv[-2:]
    path = os.path.join(sources, LIST)
    found = declared(prefix)
    lines = sorted(found.values(), key=name_of)
    if '--write' in sys.argv:
        with open(path, 'w', encoding='utf-8') as file:
            file.write('# The public functions of the library: those of the installed headers. Written by functions.py.\n')
            file.write('\n'.join(lines) + '\n')
        return 0
    listed = lines_of(path)
    faults = [f'not in {LIST}: {line}' for line in lines if line not in listed]
    faults += [f'in {LIST}, but in no installed header: {line}' for line in listed if line not in lines]
    exported = defined(prefix)
    faults += [f'declared, but in no library: {line}' for name, line in found.items()
               if 'inline' not in line and name not in exported]
    older = of_last_release(sources)
    if not older:
        print('functions.py: there is no release from 1.0 on to compare with')
    faults += [f'was in the last release: {line}' for line in lost(older, lines)]
    for fault in faults:
        print(f'functions.py: {fault}', file=sys.stderr)
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
