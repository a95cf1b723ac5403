// Built from web/.
