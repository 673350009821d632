// One question of a wizard, as the libraries ask it that most wizards are made with:
//
//     node wizard.cjs LIBRARY KIND
//
// It prints "answered" and what was answered.
"use strict";
const path = require("node:path");
const {createRequire} = require("node:module");
const {pathToFileURL} = require("node:url");
// What `./dev test tuis` installed.
const need = createRequire(path.join(__dirname, "..", "..", "build-tuis", "wizard.cjs"));

// A whole wizard's questions.
const wizard = {
  name: "Project name:", framework: "Pick a framework", features: "Which features?",
  token: "Registry token", git: "Initialize git?",
};
const frameworks = ["React", "Vue", "Svelte"];
const features = ["TypeScript", "Tests"];
const tooShort = (value) => (value.length < 9 ? "Too short" : undefined);
const work = () => new Promise((done) => setTimeout(done, 300));

const fruits = ["Apple", "Banana", "Cherry", "Date"];
const message = "Which fruit?";

function done(answer) {
  console.log(`answered ${JSON.stringify(answer)}`);
}

const clack = (kind) => {
  const prompts = need("@clack/prompts");
  const options = fruits.map((label) => ({label, value: label}));
  return {
    select: () => prompts.select({message, options}),
    multiselect: () => prompts.multiselect({message, options}),
    confirm: () => prompts.confirm({message: "Go on?"}),
    strict: () => prompts.text({message: wizard.name, validate: tooShort}),
    wizard: async () => {
      const named = (list) => list.map((label) => ({label, value: label}));
      const name = await prompts.text({message: wizard.name, placeholder: "my-app"});
      const framework = await prompts.select({message: wizard.framework, options: named(frameworks)});
      const chosen = await prompts.multiselect({message: wizard.features, options: named(features)});
      const token = await prompts.password({message: wizard.token});
      const spinner = prompts.spinner();
      spinner.start("Initialize git? No, installing first");
      await work();
      spinner.stop("Installed");
      const git = await prompts.confirm({message: wizard.git, initialValue: false});
      return {name, framework, features: chosen, token, git};
    },
  }[kind]();
};

const inquirer = (kind) => {
  const {prompt} = need("inquirer").default;
  const ask = (question) => prompt([{name: "it", message, ...question}]).then(({it}) => it);
  return {
    select: () => ask({type: "select", choices: fruits}),
    checkbox: () => ask({type: "checkbox", choices: fruits}),
    input: () => ask({type: "input"}),
    strict: () => ask({
      type: "input", message: wizard.name, validate: (value) => tooShort(value) ?? true,
    }),
    wizard: async () => {
      const {name, framework, features: chosen, token} = await prompt([
        {type: "input", name: "name", message: wizard.name, default: "my-app"},
        {type: "select", name: "framework", message: wizard.framework, choices: frameworks},
        {type: "checkbox", name: "features", message: wizard.features, choices: features},
        {type: "password", name: "token", message: wizard.token, mask: "*"},
      ]);
      await work();
      const {git} = await prompt([{type: "confirm", name: "git", message: wizard.git, default: false}]);
      return {name, framework, features: chosen, token, git};
    },
  }[kind]();
};

const enquirer = (kind) => {
  const {prompt} = need("enquirer");
  const ask = (question) => prompt({name: "it", message, ...question}).then(({it}) => it);
  return {
    select: () => ask({type: "select", choices: fruits}),
    multiselect: () => ask({type: "multiselect", choices: fruits}),
    toggle: () => ask({type: "toggle", message: "Go on?", enabled: "Yes", disabled: "No"}),
    wizard: () => prompt([
      {type: "input", name: "name", message: wizard.name, initial: "my-app"},
      {type: "select", name: "framework", message: wizard.framework, choices: frameworks},
      {type: "multiselect", name: "features", message: wizard.features, choices: features},
      {type: "password", name: "token", message: wizard.token},
      {type: "confirm", name: "git", message: wizard.git},
    ]),
  }[kind]();
};

const prompts = (kind) => {
  const titled = (list) => list.map((title) => ({title, value: title}));
  return {
    wizard: () => need("prompts")([
      {type: "text", name: "name", message: wizard.name, initial: "my-app"},
      {type: "select", name: "framework", message: wizard.framework, choices: titled(frameworks)},
      {type: "multiselect", name: "features", message: wizard.features, choices: titled(features)},
      {type: "password", name: "token", message: wizard.token},
      {type: "confirm", name: "git", message: wizard.git},
    ]),
  }[kind]();
};

// Fields in a box, and hints below it, which is how agents' programs ask.
const ink = async () => {
  const {render, Box, Text, useInput} = await import(pathToFileURL(need.resolve("ink")).href);
  const {createElement, useState} = need("react");
  const questions = [wizard.name, wizard.framework, wizard.features, wizard.token, wizard.git];
  const keys = ["name", "framework", "features", "token", "git"];
  return new Promise((answered) => {
    const App = () => {
      const [given, setGiven] = useState([]);
      const [typed, setTyped] = useState("");
      const [chosen, setChosen] = useState(0);
      const choices = [null, frameworks, features, null, ["Yes", "No"]][given.length] ?? null;
      useInput((text, key) => {
        if (key.downArrow) setChosen(chosen + 1);
        if (!key.return) {
          if (!choices) setTyped(typed + text);
          return;
        }
        const all = [...given, choices ? choices[chosen] : typed];
        setGiven(all);
        setTyped("");
        setChosen(0);
        if (all.length < keys.length) return;
        app.unmount();
        answered({
          name: all[0], framework: all[1], features: [all[2]], token: all[3], git: all[4] === "Yes",
        });
      });
      const text = (line, more = {}) => createElement(Text, {key: line, ...more}, line);
      const question = questions[given.length] ?? "";
      const field = given.length === 3 ? "*".repeat(typed.length) : typed;
      return createElement(Box, {flexDirection: "column"}, [
        ...given.map((answer, i) => text(`\u2714 ${questions[i]} ${answer}`)),
        createElement(Box, {key: "box", flexDirection: "column", borderStyle: "round"}, [
          text(choices ? question : `${question} ${field}`),
          ...(choices ?? []).map((choice, i) => text(`${i === chosen ? "\u276f" : " "} ${choice}`)),
        ]),
        text("enter to go on \u2022 ? for help", {dimColor: true}),
      ]);
    };
    const app = render(createElement(App));
  });
};

const blessed = (kind) => {
  const library = need("blessed");
  const screen = library.screen({smartCSR: true});
  return new Promise((answered) => {
    const finish = (answer) => {
      screen.destroy();
      answered(answer);
    };
    // Mouse clicks are counted on the screen.
    const clicks = () => {
      let count = 0;
      const button = library.button({
        parent: screen, mouse: true, keys: true, top: 3, left: 10, width: 20, height: 3, border: "line",
        content: "Press here",
      });
      const label = library.text({parent: screen, top: 8, left: 10, content: "pressed 0 times"});
      button.on("press", () => {
        label.setContent(`pressed ${++count} times`);
        screen.render();
      });
    };
    const list = () => {
      const entries = library.list({
        parent: screen, keys: true, mouse: true, top: 1, left: 2, width: 30, height: 8, border: "line",
        style: {selected: {inverse: true}}, items: fruits,
      });
      entries.on("select", (item) => finish(item.getText()));
      entries.focus();
    };
    ({clicks, list})[kind]();
    screen.key("C-c", () => finish("nothing"));
    screen.render();
  });
};

const [library, kind] = process.argv.slice(2);
({clack, inquirer, enquirer, prompts, ink, blessed})[library](kind).then(done);
