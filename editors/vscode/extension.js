// Starts `regelwerk lsp` for rule files and stops it again.

const { commands, window, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

async function start() {
  const command = workspace.getConfiguration("regelwerk").get("path");
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  const options = {
    documentSelector: [{ language: "regelwerk" }],
    // Registries and ledgers are read with the rules that name them.
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{rules,ron}") },
  };
  client = new LanguageClient("regelwerk", "Regelwerk", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(`\`${command} lsp\` does not start: set \`regelwerk.path\`. ${error}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart() {
  await stop();
  await start();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    commands.registerCommand("regelwerk.restart", restart),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("regelwerk.path") && restart()),
  );
  await start();
};

exports.deactivate = stop;
