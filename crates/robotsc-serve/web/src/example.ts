// The worked example: the robots.txt of a shop, before and after an edit. The edit adds CCBot to a group of its own, so
// the rules for all agents no longer count for CCBot: what looks like one more block opens the cart.

export const SHOP_BEFORE = `# A shop. Change a line: the answers follow.
User-agent: *
Disallow: /cart
Disallow: /*?sort=

User-agent: GPTBot
Disallow: /blog/

Sitemap: https://shop.example/sitemap.xml
`;

export const SHOP = `# A shop. Change a line: the answers follow.
User-agent: *
Disallow: /cart
Allow: /cart/help
Disallow: /*?sort=

User-agent: GPTBot
User-agent: CCBot
Disallow: /blog/

Sitemap: https://shop.example/sitemap.xml
`;
