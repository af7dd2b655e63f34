// node's JSON.parse of each payload, given as a string: nanoseconds of CPU a parse.
import { readFileSync } from "node:fs";

const [folder, seconds, ...names] = process.argv.slice(2);

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

for (const name of names) {
  const text = readFileSync(`${folder}/${name}.json`, "utf8");
  let done = 0, sum = 0, batch = 64, spent = 0;
  while (spent < Number(seconds)) {
    const start = cpuSeconds();
    for (let turn = 0; turn < batch; turn++) sum += JSON.parse(text).v;
    spent += cpuSeconds() - start;
    done += batch;
    if (spent < seconds / 10) batch *= 2;
  }
  if (sum !== done) process.exit(1);
  console.log(`node ${name} ${(spent / done * 1e9).toFixed(1)}`);
}
