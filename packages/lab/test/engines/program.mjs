/**
 * A stand-in for the client as a program, for runtimes: the behaviours of the stub, and those that only a process can
 * have.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { run } from './client.mjs';

// Not by readFileSync(0), which fails with EAGAIN if the task has not been written yet.
let text = '';
for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
const task = JSON.parse(text);
const say = (text) => process.stdout.write(text);
const emit = (message) => void say(JSON.stringify(message) + '\n');

switch (task.contests[0]) {
  case 'crash':
    emit({ type: 'hello' });
    process.kill(process.pid, 'SIGSEGV');
    break;
  case 'exit':
    emit({ type: 'hello' });
    process.stderr.write('no memory is left\n');
    process.exitCode = 3;
    break;
  case 'text':
    say('Segmentation fault? Not yet.\n');
    await run({ ...task, contests: ['wait'] }, emit);
    break;
  case 'half':
    // A message in two parts, and one without an end of line.
    say('{"type":"hello",');
    await new Promise((resolve) => setTimeout(resolve, 50));
    say('"protocol":1}\n{"type":"done"}');
    break;
  case 'family': {
    // A child in the process group, and one that leaves it; neither ends by itself.
    const idle = ['-e', 'setInterval(() => {}, 1000)'];
    const near = spawn(process.execPath, idle, { stdio: 'ignore' });
    const far = spawn(process.execPath, idle, { stdio: 'ignore', detached: true });
    writeFileSync(task.contests[1], `${process.pid} ${near.pid} ${far.pid}`);
    await run({ ...task, contests: [task.contests[2]] }, emit);
    break;
  }
  default:
    await run(task, emit);
}
