import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandWords } from './redis-command-line.ts';

test('a command line is split as redis-cli splits it', () => {
  const split: [string, string[]][] = [
    ['  PING ', ['PING']],
    ['GET key', ['GET', 'key']],
    ['GET "two words"', ['GET', 'two words']],
    ['GET "a\\"b\\x41\\n"', ['GET', 'a"bA\n']],
    ["GET 'it\\'s \\n'", ['GET', "it's \\n"]],
    ['GET ""', ['GET', '']],
    ["EVAL 'return 1' 0", ['EVAL', 'return 1', '0']],
    ['', []],
  ];
  for (const [line, words] of split) assert.deepEqual([line, commandWords(line)], [line, words]);
});

test('a line with a quote that is unclosed, or closes inside a word, is no command', () => {
  for (const line of ['GET "open', "GET 'open", 'GET "a"b', 'GET a"b"', "GET 'a\\'"])
    assert.deepEqual([line, commandWords(line)], [line, undefined]);
});
