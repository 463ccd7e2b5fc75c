import assert from 'node:assert/strict'
import { test } from 'node:test'
import { banner } from './banner.ts'

const facts = {
  ...{ version: '1.2.3', address: 'http://127.0.0.1:7420', seconds: 1, shownKey: null, link: null },
  config: { dataDir: '/var/lib/memoryd', adminToken: null },
}

test('says where the key is, and its example reads it from there', () => {
  const text = banner({ ...facts, hasKeyFile: true })
  assert.match(text, /key +in \/var\/lib\/memoryd\/default-key/)
  assert.match(text, /\$\(cat '\/var\/lib\/memoryd\/default-key'\)/)
  assert.match(text, /admin token +in \/var\/lib\/memoryd\/admin-token/)
})

test('shows the key itself where it may', () => {
  assert.match(banner({ ...facts, hasKeyFile: true, shownKey: 'mem_x' }), /key +mem_x \(shown this once/)
})

test('the console signs in by link where that may be shown', () => {
  const text = banner({ ...facts, hasKeyFile: true, link: 'token' })
  assert.match(text, /console +http:\/\/127\.0\.0\.1:7420\/console#link=token/)
  assert.doesNotMatch(banner({ ...facts, hasKeyFile: true }), /link/)
})

test('names no file that is not there', () => {
  const config = { ...facts.config, adminToken: 'configured' }
  const text = banner({ ...facts, config, hasKeyFile: false })
  assert.doesNotMatch(text, /default-key|admin-token|curl|configured/)
  assert.match(text, /keys create/)
})
