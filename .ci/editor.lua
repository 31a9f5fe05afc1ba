-- Opens three files in this Neovim with `robotsc lsp`, and checks what a person would see and do.

local scratch = vim.env.SCRATCH
local failures = 0

local function check(what, found, wanted)
  if not vim.deep_equal(found, wanted) then
    failures = failures + 1
    io.stderr:write(string.format('%s:\n  wanted %s\n  found  %s\n', what, vim.inspect(wanted), vim.inspect(found)))
  end
end

local function check_contains(what, text, part)
  if not (text or ''):find(part, 1, true) then
    failures = failures + 1
    io.stderr:write(string.format('%s:\n  wanted a text with %s\n  found  %s\n', what, part, vim.inspect(text)))
  end
end

local client = vim.lsp.start_client({
  name = 'robotsc',
  cmd = { vim.env.ROBOTSC, 'lsp' },
  root_dir = scratch,
  init_options = { severity = { ['tie-decides'] = 'off' } },
})
assert(client, 'the server starts')

-- Opens a file with some bytes, and waits for its diagnostics.
local function open(name, text)
  local path = scratch .. '/' .. name
  local file = assert(io.open(path, 'wb'))
  file:write(text)
  file:close()
  vim.cmd('edit ' .. vim.fn.fnameescape(path))
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].filetype = 'robots'
  assert(vim.lsp.buf_attach_client(buffer, client), 'the server is attached')
  return buffer
end

local function codes(buffer)
  local found = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(found, diagnostic.code or diagnostic.user_data.lsp.code)
  end
  table.sort(found)
  return found
end

local function wait_for_codes(what, buffer, wanted)
  vim.wait(5000, function() return vim.deep_equal(codes(buffer), wanted) end, 20)
  check(what, codes(buffer), wanted)
end

local function request(buffer, method, params)
  local answers, problem = vim.lsp.buf_request_sync(buffer, method, params, 5000)
  assert(answers and answers[client], method .. ': ' .. tostring(problem))
  local answer = answers[client]
  if answer.err or answer.error then
    check(method, answer.err or answer.error, nil)
  end
  return answer.result
end

-- Puts the cursor on a line, from 1, and a byte, from 0.
local function at(line, byte)
  vim.api.nvim_win_set_cursor(0, { line, byte })
  return vim.lsp.util.make_position_params(0, 'utf-16')
end

local function lines(buffer) return vim.api.nvim_buf_get_lines(buffer, 0, -1, false) end

-- 1. A file with a mistake: the finding, its fix, and the finding gone.
local buffer = open('robots.txt', 'User-agent: *\nDisallow: cart\nDisallow: /*shop\nAllow: /shop\n')
wait_for_codes('findings', buffer, { 'dead-pattern', 'rule-never-decides' })
local params = at(2, 12)
params = { textDocument = params.textDocument, range = { start = params.position, ['end'] = params.position } }
params.context = { diagnostics = {} }
local actions = request(buffer, 'textDocument/codeAction', params)
check('the first action', actions[1].title, 'Put a `/` before it (dead-pattern: changes the meaning)')
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
check('the fixed line', lines(buffer)[2], 'Disallow: /cart')
wait_for_codes('findings after the fix', buffer, { 'rule-never-decides' })
local hover = request(buffer, 'textDocument/hover', at(4, 8))
check_contains('hover', hover.contents.value, 'It never decides: line 3 has priority, and matches all of its paths.')

-- 2. Characters beyond ASCII and CRLF: Neovim counts bytes, the protocol UTF-16.
buffer = open('shop.robots.txt', 'User-agent: *\r\nDisallow: /é𝄞 b # ü\r\nUser-agent: GPTB\r\n')
wait_for_codes('findings on a line beyond ASCII', buffer, { 'group-empty', 'space-in-pattern' })
local found = {}
for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
  if diagnostic.lnum == 1 then found = diagnostic end
end
check('bytes of the finding', { found.lnum, found.col, found.end_lnum, found.end_col }, { 1, 10, 1, 19 })
hover = request(buffer, 'textDocument/hover', at(2, 18))
check_contains('hover beyond ASCII', hover and hover.contents.value, '**Disallow** `/é𝄞 b`')
vim.api.nvim_win_set_cursor(0, { 3, 15 })
vim.cmd('normal! $')
local position = vim.lsp.util.make_position_params(0, 'utf-16')
position.position.character = 16
local list = request(buffer, 'textDocument/completion', position)
local item
for _, candidate in ipairs(list.items) do
  if candidate.label == 'GPTBot' then item = candidate end
end
check('the detail of GPTBot', item and item.detail, 'OpenAI: ai-training')
vim.lsp.util.apply_text_edits({ item.textEdit }, buffer, 'utf-16')
check('the completed line', lines(buffer)[3], 'User-agent: GPTBot')
check('the end of lines', vim.bo[buffer].fileformat, 'dos')

-- 3. Formatting, and the same file again.
buffer = open('other.robots.txt', 'user-agent : *\n\ndisallow:/é𝄞   # old\nUSER-AGENT:FooBot\ndisallow: /x\n')
for _ = 1, 2 do
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = 5000 })
  else
    vim.lsp.buf.formatting_sync({}, 5000)
  end
  local wanted = { 'User-agent: *', 'Disallow: /é𝄞 # old', '', 'User-agent: FooBot', 'Disallow: /x' }
  check('the formatted file', lines(buffer), wanted)
end

-- The server ends when the editor does.
local ended = false
vim.lsp.get_client_by_id(client).stop()
vim.wait(5000, function()
  ended = vim.lsp.client_is_stopped(client)
  return ended
end, 20)
check('the server has ended', ended, true)

if failures > 0 then
  io.stderr:write(string.format('%d checks failed\n', failures))
  vim.cmd('cquit 1')
end
local version = vim.version()
print(string.format('Neovim %d.%d.%d: all checks hold\n', version.major, version.minor, version.patch))
vim.cmd('qall!')
