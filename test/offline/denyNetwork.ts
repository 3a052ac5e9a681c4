import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';
import workerThreads from 'node:worker_threads';

/**
 * Loaded before a program (`node --import`), it makes every way to the network throw, and every way to another process or
 * thread that might take it. What was tried stands at the end in the file that `DENIED_LOG` names, as a JSON list.
 */
const tried: string[] = [];

function deny(holder: object, name: string, key: string): void {
  const fail = (): never => {
    tried.push(name);
    throw new Error(`${name} is not allowed here.`);
  };
  // Called or constructed.
  const denied = new Proxy(class {}, { apply: fail, construct: fail });
  Object.defineProperty(holder, key, { value: denied, configurable: true, writable: true });
}

const modules: readonly (readonly [name: string, module: object, keys: readonly string[]])[] = [
  ['net', net, ['connect', 'createConnection', 'createServer']],
  ['net.Socket', net.Socket.prototype, ['connect']],
  ['net.Server', net.Server.prototype, ['listen']],
  ['tls', tls, ['connect']],
  ['http', http, ['request', 'get']],
  ['https', https, ['request', 'get']],
  ['http2', http2, ['connect']],
  ['dgram', dgram, ['createSocket']],
  ['dgram.Socket', dgram.Socket.prototype, ['bind', 'connect', 'send']],
  ['dns', dns, Object.keys(dns).filter((key) => /^(?:lookup|resolve|reverse)/.test(key))],
  ['dns.promises', dns.promises, Object.keys(dns.promises).filter((key) => /^(?:lookup|resolve|reverse)/.test(key))],
  ['child_process', childProcess, ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync']],
  ['worker_threads', workerThreads, ['Worker']],
  ['globalThis', globalThis, ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']],
];
for (const [name, module, keys] of modules) for (const key of keys) deny(module, `${name}.${key}`, key);
// Otherwise `import { connect } from 'node:net'` would still find the old one.
syncBuiltinESMExports();

process.on('exit', () => writeFileSync(process.env['DENIED_LOG'] ?? '', JSON.stringify(tried)));
