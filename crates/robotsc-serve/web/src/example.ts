// The worked example: the robots.txt of a shop, before and after an edit.

export const SHOP_BEFORE = `# The robots.txt of a shop
User-agent: *
Disallow: /cart
Disallow: /*?sort=

User-agent: GPTBot
Disallow: /blog/

Sitemap: https://shop.example/sitemap.xml
`;

export const SHOP = `# The robots.txt of a shop. Change a line: the answers follow.
User-agent: *
Disallow: /cart
Allow: /cart/help
Disallow: /*?sort=

User-agent: GPTBot
User-agent: CCBot
Disallow: /

Sitemap: https://shop.example/sitemap.xml
`;
