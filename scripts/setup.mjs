// Makes ready what `npm start` and `npm test` need: the npm packages and the Python environment, each from its lock file.
// Runs on the machine's own Node (20 or newer) before there are any packages, so it is plain JavaScript on Node alone.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const VENV = "runtime/.venv";
const VENV_PYTHON = `${VENV}/bin/python`;
const PYTHON_LOCK = "runtime/requirements-dev.lock";
const MIN_PYTHON = [3, 11];

/** Exit status for what the person at the keyboard can put right. */
const USER_ERROR = 2;

const fail = (message) => {
  console.error(`setup: ${message}`);
  process.exit(USER_ERROR);
};

const run = (step, command, args) => {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) {
    const why = error ? error.message : `\`${[command, ...args].join(" ")}\` failed, see above`;
    fail(`${step}: ${why}. Put that right and run the same command again.`);
  }
};

/** The first Python on PATH that is new enough, as `{command, version}`. */
const findPython = () => {
  const named = ["python3", "python3.14", "python3.13", "python3.12", "python3.11"];
  const probe = "import sys; print(*sys.version_info[:3], sys.executable)";
  for (const command of [process.env.PYTHON, ...named].filter(Boolean)) {
    const { status, stdout } = spawnSync(command, ["-c", probe], { encoding: "utf8" });
    const [major, minor, patch, path] = status === 0 ? stdout.trim().split(" ") : [];
    if (Number(major) === MIN_PYTHON[0] && Number(minor) >= MIN_PYTHON[1]) {
      return { command: path, version: [major, minor, patch].join(".") };
    }
  }
  return fail(
    `no python3 of version ${MIN_PYTHON.join(".")} or newer on PATH: install it, or name it in the variable PYTHON`,
  );
};

/** Runs a step unless its stamp says that the same inputs were installed, whole, before. */
const ensure = ({ title, stamp, inputs, extra = "", install }) => {
  const hash = createHash("sha256").update(extra);
  for (const input of inputs) {
    hash.update(readFileSync(join(ROOT, input)));
  }
  const key = hash.digest("hex");
  const file = join(ROOT, stamp);
  if (existsSync(file) && readFileSync(file, "utf8") === key) {
    return;
  }
  const startedMs = Date.now();
  console.error(`setup: ${title} ...`);
  install(title);
  writeFileSync(file, key);
  console.error(`setup: ${title}: done in ${Math.round((Date.now() - startedMs) / 1000)} s`);
};

const python = findPython();

ensure({
  title: "npm packages from package-lock.json",
  stamp: "node_modules/.setup",
  inputs: ["package-lock.json"],
  install: (title) => run(title, "npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]),
});

ensure({
  title: `Python ${python.version} environment from ${PYTHON_LOCK}`,
  stamp: `${VENV}/.setup`,
  inputs: [PYTHON_LOCK, "runtime/pyproject.toml"],
  extra: python.command + python.version,
  install: (title) => {
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    run(title, python.command, ["-m", "venv", "--clear", VENV]);
    run(title, VENV_PYTHON, [...pip, "--require-hashes", "-r", PYTHON_LOCK]);
    run(title, VENV_PYTHON, [...pip, "--no-deps", "--no-build-isolation", "--editable", "runtime"]);
  },
});
