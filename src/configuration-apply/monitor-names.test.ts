import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MonitorNames } from './monitor-names.ts';

const names = () =>
  new MonitorNames([
    { id: '1', project: 'Shop', name: 'Home' },
    { id: '2', project: 'Office', name: 'Home' },
    { id: '3', project: 'Office', name: 'Router' },
    { id: '4', project: 'a/b', name: 'c' },
    { id: '5', project: 'a', name: 'b/c' },
    { id: '6', project: 'Office', name: 'Shop/Home' },
  ]);

test('a reference means a monitor of its own project first, then Project/Monitor, then the only one of that name', () => {
  const table: [string, string | null, string][] = [
    ['Home', 'Shop', '1'],
    ['Home', 'Office', '2'],
    ['Office/Home', 'Shop', '2'],
    ['Router', 'Shop', '3'],
    ['Router', null, '3'],
    ['Shop/Home', 'Office', '6'],
    ['b/c', 'a', '5'],
    ['c', 'a/b', '4'],
  ];
  for (const [reference, project, id] of table)
    assert.equal(names().find(reference, 'depends_on', project), id, `${reference} in ${project}`);
});

test('a reference that means none or several is refused, naming the candidates', () => {
  const table: [string, RegExp][] = [
    ['Home', /"Home" of "Shop" and "Home" of "Office" may both be; write Project\/Monitor\./],
    ['a/b/c', /"c" of "a\/b" and "b\/c" of "a" may both be; rename one of them\./],
    ['Shop/Home', /"Home" of "Shop" and "Shop\/Home" of "Office" may both be/],
    ['Nobody', /there is no such monitor; write Project\/Monitor/],
  ];
  for (const [reference, message] of table)
    assert.throws(() => names().find(reference, 'monitors.0.monitor', null), message, reference);
});

test('a declared monitor has its name before it is created, and is found only then', () => {
  const stored = [{ id: '1', project: 'Infra', name: 'Main' }];
  const declared = [
    { project: 'Web', name: 'Main' },
    { project: 'Web', name: 'Other' },
    { project: 'Infra', name: 'Main' },
  ];
  const names = new MonitorNames(stored, declared);
  assert.equal(names.find('Infra/Main', 'depends_on', 'Web'), '1');
  assert.throws(() => names.find('Main', 'depends_on', 'Web'), /was refused, or refers back/);
  assert.throws(() => names.find('Main', 'depends_on', null), /may both be/);
  assert.equal(names.idOf('Web', 'Other'), null);
  names.created('Web', 'Main', '2');
  assert.equal(names.find('Main', 'depends_on', 'Web'), '2');
  assert.equal(names.find(' Main ', 'depends_on', 'Infra'), '1');
});

test('a monitor that was removed is found no more', () => {
  const changed = names();
  changed.remove('Office', 'Home');
  assert.equal(changed.find('Home', 'depends_on', null), '1');
});
