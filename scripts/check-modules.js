// Parses every ES module named on standard input, one path per line; prints how many, or which do not parse.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { SourceTextModule } from "node:vm";

const files = readFileSync(0, "utf8").split("\n").filter(Boolean);
const broken = files.filter((file) => {
  try {
    new SourceTextModule(readFileSync(file, "utf8"));
    return false;
  } catch (fault) {
    console.log(`${file}: ${fault.message}`);
    return true;
  }
});
// The server leaves out lines that begin with `//` when it joins modules: they must not be words of a text in backticks, which a
// backtick in them would end.
const cut = files.filter((file) => !broken.includes(file)).filter((file) => {
  try {
    new SourceTextModule(readFileSync(file, "utf8").replace(/^ *\/\/.*$/gm, "// `"));
    return false;
  } catch {
    console.log(`${file}: a line of a text in backticks begins with //, which the server leaves out of the joined script`);
    return true;
  }
});
// A separate process shows the line; for all of them that would need a minute.
for (const file of broken) {
  spawnSync(process.execPath, ["--experimental-default-type=module", "--check", file], { stdio: "inherit" });
}
if (files.length === 0) console.log("no module found");
else if (broken.length + cut.length === 0) console.log(`${files.length} modules`);
process.exitCode = broken.length + cut.length > 0 || files.length === 0 ? 1 : 0;
