/* How often the loop goes over its items: twice as much is twice as slow. */
#define PASSES 1
