set output 'queue.svg'
set terminal svg size 900,360 font 'sans,12' background '#ffffff'
set key outside bottom center horizontal
set grid
set yrange [0:*]
set y2tics
set ytics nomirror
set y2range [0:*]
set title 'Queues of nodes and HSM'
set ylabel 'jobs'
set y2label 's'
set xlabel 'minutes'
plot 'queue.tsv' using 1:7 with lines title 'on the line',\
  '' using 1:2 with lines lw 2 title 'of them in the nodes queues',\
  '' using 1:3 with lines title 'in the HSM',\
  '' using 1:4 with lines dt 2 title 'windows',\
  '' using 1:5 with lines title 'of them in its queue',\
  '' using 1:6 axes x1y2 with lines dt 3 title 'oldest, s'
