#!/usr/bin/env node
// Hands over to the program of this processor.
'use strict';

const name = `@glasstty/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/glasstty`);
} catch {
  console.error(
    `glasstty: no program for ${process.platform}-${process.arch} (package ` +
    `${name}). Was npm told to leave out optional dependencies?`);
  process.exit(1);
}
const args = process.argv.slice(2);
// Node 22.15 and later: no node process stays behind.
if (process.execve) {
  process.execve(program, [program, ...args], process.env);
}
const child = require('child_process').spawn(program, args, {stdio: 'inherit'});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
  console.error(`glasstty: ${program}: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  // As it ended, so that whoever started it sees why. The handler above would
  // catch the signal.
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
