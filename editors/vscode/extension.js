// Starts `robotsc lsp` for robots.txt files.
'use strict';

const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

/** @type {LanguageClient | undefined} */
let client;

async function start() {
  const command = vscode.workspace.getConfiguration('robotsc').get('path') || 'robotsc';
  const server = { command, args: ['lsp'], transport: TransportKind.stdio };
  const options = {
    documentSelector: [{ language: 'robots-txt' }],
    synchronize: { configurationSection: 'robotsc' },
  };
  client = new LanguageClient('robotsc', 'robotsc', server, options);
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(
      `robotsc: cannot start ${command}: ${error.message ?? error}: install it, or set robotsc.path`,
      'Open settings',
    );
    if (choice) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'robotsc.path');
    }
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running?.isRunning()) {
    await running.stop();
  }
}

exports.activate = async (context) => {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand('robotsc.restart', restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('robotsc.path')) {
        await restart();
      }
    }),
  );
  await start();
};

exports.deactivate = stop;
