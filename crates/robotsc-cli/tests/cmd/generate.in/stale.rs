// an older one
